// Python, in a worker: the page never waits for it. Every file is checked before it is used.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = new URL("./", self.location.href);
const plain = self.fetch.bind(self);
const PACKED = ".packed"; // gzipped, under a name that no server unpacks by itself
let facts = {};
let loaded = 0;
let missing = ""; // Pyodide goes on without a package, so why it is missing is kept

const tell = (message) => self.postMessage(message);

// A file of this site, with its checksum; what has come so far is told.
async function checked(name) {
  const { integrity } = facts[name];
  const answer = await plain(new URL(name, here), { integrity }).catch(() => null);
  if (!answer?.ok) {
    missing ||= `${name} is not there, came cut, or is not the file of this page`;
    throw new Error(missing);
  }
  const told = new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      tell({ loaded, total: total() });
      controller.enqueue(chunk);
    },
  });
  return answer.body.pipeThrough(told);
}

// Models come when they are asked for, and scripts by imports.
const counted = ([name]) => !/^models\/|js$/.test(name);
const total = () => Object.entries(facts).filter(counted)
  .reduce((sum, [, { size }]) => sum + size, 0);

// Pyodide asks for its files by `fetch`.
self.fetch = async (address, options) => {
  const name = new URL(address.url ?? address, here).href.replace(here.href, "");
  if (facts[name + PACKED]) {
    const body = (await checked(name + PACKED)).pipeThrough(new DecompressionStream("gzip"));
    return new Response(body, { headers: { "Content-Type": "application/wasm" } });
  }
  return facts[name] ? new Response(await checked(name)) : plain(address, options);
};

async function begin() {
  facts = await (await plain(new URL("files.json", here))).json();
  const archive = self.fetch(new URL("wordorder_lab.zip", here)).then((one) => one.arrayBuffer());
  const python = await loadPyodide({ indexURL: new URL("pyodide/", here).href });
  await python.loadPackage("numpy", { messageCallback() {} });
  if (missing) throw new Error(missing);
  python.unpackArchive(await archive, "zip", { extractDir: "/lab" });
  python.FS.mkdirTree("/models");
  python.runPython("import sys; sys.path.insert(0, '/lab')");
  return { python, answer: python.runPython("import tab_answers; tab_answers.answer") };
}

const begun = begin();
begun.catch((error) => tell({ broken: missing || String(error.message ?? error) }));

self.onmessage = async ({ data: { id, question } }) => {
  try {
    const { python, answer } = await begun;
    const file = `models/${question.model}.wol`;
    if (facts[file] && !python.FS.analyzePath(`/${file}`).exists) {
      const data = await (await self.fetch(new URL(file, here))).arrayBuffer();
      python.FS.writeFile(`/${file}`, new Uint8Array(data));
    }
    tell({ id, working: true });
    tell({ id, answer: JSON.parse(answer(JSON.stringify(question))) });
  } catch (error) {
    tell({ id, answer: { error: String(error.message ?? error).trim().split("\n").at(-1) } });
  }
};
