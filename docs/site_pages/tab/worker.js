// Python, in a worker: the page never waits for it.

import { Files } from "./files.js";

const here = new URL("./", self.location.href);
const plain = self.fetch.bind(self);
const ALWAYS = /^(pyodide\/|wordorder_lab)/;
const LEARNED = "/models/learned.wol";
const SCRIPTS = ["pyodide/pyodide.mjs", "pyodide/pyodide.asm.js"];
const tell = (message) => self.postMessage(message);
const files = new Files(here, tell);
const listed = files.begin();
let missing = ""; // Pyodide goes on without a package, so why it is missing is kept

// Pyodide asks for its files by `fetch`.
self.fetch = async (address, options) => {
  const name = new URL(address.url ?? address, here).href.replace(here.href, "");
  if (!files.has(name) && !files.has(`${name}.packed`)) return plain(address, options);
  const bytes = await files.get(name).catch((error) => {
    missing ||= error.message;
    throw error;
  });
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(bytes, { headers: { "Content-Type": type } });
};

// Files come side by side, before they are asked for; what goes wrong is told when they are.
function early(name) {
  listed.then(() => files.get(name)).catch(() => null);
}

// A script, run only if it is the file of this page.
async function script(name) {
  const text = new Blob([await files.get(name)], { type: "text/javascript" });
  const address = URL.createObjectURL(text);
  return import(address).finally(() => URL.revokeObjectURL(address));
}

async function begin() {
  await listed;
  for (const name of Object.keys(files.facts)) if (ALWAYS.test(name)) early(name);
  const archive = files.get("wordorder_lab.zip");
  const [{ loadPyodide }] = await Promise.all(SCRIPTS.map(script));
  const python = await loadPyodide({ indexURL: new URL("pyodide/", here).href });
  await python.loadPackage("numpy", { messageCallback() {} });
  if (missing) throw new Error(missing);
  python.unpackArchive(await archive, "zip", { extractDir: "/lab" });
  for (const name of files.coming.keys()) if (ALWAYS.test(name)) files.drop(name);
  python.FS.mkdirTree("/models");
  python.runPython("import sys; sys.path.insert(0, '/lab')");
  return { python, answer: python.runPython("import tab_answers; tab_answers.answer") };
}

const begun = begin();
begun.catch((error) => tell({ broken: missing || words(error) }));

function words(error) {
  const said = String(error?.message ?? error).trim().split("\n").at(-1);
  if (/call stack|RecursionError/.test(said)) return "what is given is nested too deep";
  if (error instanceof RangeError || /memory|allocat/i.test(said))
    return "there is too little memory (close other tabs or programs)";
  return said;
}

// The models of a question: files of this site, or what was learned here.
async function withModels({ FS }, { files: wanted = [] }, learned) {
  const absent = wanted.filter((name) => !FS.analyzePath(`/${name}`).exists);
  const found = await Promise.all(absent.map((name) => files.get(name)));
  absent.forEach((name, i) => {
    FS.mkdirTree(`/${name.slice(0, name.lastIndexOf("/"))}`);
    FS.writeFile(`/${name}`, found[i]);
    files.drop(name);
  });
  if (learned && !FS.analyzePath(LEARNED).exists) FS.writeFile(LEARNED, learned);
}

self.onmessage = async ({ data: { id, question, learned } }) => {
  for (const name of question.files ?? []) early(name);
  try {
    const { python, answer } = await begun;
    await withModels(python, question, learned);
    tell({ id, working: true });
    const told = (text) => tell({ id, told: JSON.parse(text) });
    tell({ id, answer: JSON.parse(answer(JSON.stringify(question), told)) });
  } catch (error) {
    tell({ id, answer: { error: words(error) } });
  }
};
