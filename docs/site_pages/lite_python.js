// Pyodide for JupyterLite's kernel. What the page try/ has, too, lies there once, in part packed.

const lite = new URL("../", import.meta.url);
const plain = self.fetch.bind(self);
const facts = await (await plain(new URL("files.json", lite))).json();
const there = Object.keys(facts).filter((name) => name.startsWith("../"));
const own = (name) => new URL(`pyodide/${name.split("/").at(-1).replace(/\.packed$/, "")}`, lite);
const shared = new Map(there.map((name) => [own(name).href, name]));
const kinds = { wasm: "application/wasm", js: "text/javascript", mjs: "text/javascript" };

// Pyodide asks for its files by `fetch`.
self.fetch = async (address, options) => {
  const { href } = new URL(address.url ?? address, lite);
  const name = shared.get(href);
  if (!name) return plain(address, options);
  const answer = await plain(new URL(name, lite), { integrity: facts[name].integrity });
  const stream = name.endsWith(".packed") && answer.ok
    ? answer.body.pipeThrough(new DecompressionStream("gzip")) : answer.body;
  const kind = kinds[href.split(".").at(-1)] ?? "application/octet-stream";
  return new Response(stream, { status: answer.status, headers: { "Content-Type": kind } });
};

// A script as it comes from `fetch`.
async function script(name) {
  const whole = await (await self.fetch(own(name))).blob();
  return import(URL.createObjectURL(whole));
}

export async function loadPyodide(options) {
  await script("pyodide.asm.js");
  return (await script("pyodide.mjs")).loadPyodide(options);
}
