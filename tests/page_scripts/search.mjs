// What the site's search finds: its own worker, its own index, in Node.
// node search.mjs SITE QUESTION ... writes JSON: for each question the pages, best first.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const [site, ...questions] = process.argv.slice(2);
const workers = join(site, "assets/javascripts/workers");
const script = readdirSync(workers).find((name) => /^search.*\.js$/.test(name));
const { config, docs } = JSON.parse(
  readFileSync(join(site, "search/search_index.js"), "utf-8").replace(/^var __index = /, ""),
);

const asked = [];
const told = [];
const worker = {
  console,
  importScripts: () => {},
  addEventListener: (_, listener) => asked.push(listener),
  postMessage: (message) => told.shift()(message),
};
worker.self = worker;
vm.runInNewContext(readFileSync(join(workers, script), "utf-8"), worker);
const send = (data) => new Promise((resolve) => {
  told.push(resolve);
  asked[0]({ data });
});

await send({ type: 0, data: { config, docs, options: { suggest: false } } });
const found = {};
for (const question of questions) {
  const { data } = await send({ type: 2, data: question });
  found[question] = data.items.map((page) => page[0].location.replace(/#.*/, ""));
}
process.stdout.write(JSON.stringify(found));
