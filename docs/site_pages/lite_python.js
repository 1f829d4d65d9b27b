// Pyodide for JupyterLite's kernel. What the page try/ has, too, lies there once, in part packed.
// The kernel's worker takes this by `importScripts`, so it is no module.

const plain = self.fetch.bind(self);
const EIO = 29; // as Emscripten counts errors
const kinds = { wasm: "application/wasm", js: "text/javascript", mjs: "text/javascript" };

self.loadPyodide = async (options) => {
  const lite = new URL("../", options.indexURL);
  const { file } = await import(new URL("kept.js", lite));
  const facts = await (await plain(new URL("files.json", lite))).json();
  const own = (name) => new URL(name.split("/").at(-1).replace(/\.packed$/, ""), options.indexURL);
  const known = new Map(Object.keys(facts).map((name) => [own(name).href, name]));

  // Pyodide asks for its files by `fetch`.
  self.fetch = async (address, how) => {
    const { href } = new URL(address.url ?? address, lite);
    const name = known.get(href);
    if (!name) return plain(address, how);
    const { ok, status, body } = await file(lite, name, facts[name]);
    const unpacked = ok && name.endsWith(".packed")
      ? body.pipeThrough(new DecompressionStream("gzip")) : body;
    const kind = kinds[href.split(".").at(-1)] ?? "application/octet-stream";
    return new Response(unpacked, { status, headers: { "Content-Type": kind } });
  };

  // A script as it comes from `fetch`.
  const script = async (name) => {
    const whole = await (await self.fetch(own(name))).blob();
    return import(URL.createObjectURL(whole));
  };
  await script("pyodide.asm.js");
  const pyodide = await (await script("pyodide.mjs")).loadPyodide(options);

  // Everyday models lie beside the page try/, and come when a cell asks for one.
  const find = "import importlib.util as util; util.find_spec('wordorder_lab').origin";
  const folder = pyodide.runPython(find).replace("__init__.py", "systems/everyday_models");
  for (const name of ["everyday.zip", "everyday-realization.zip"]) {
    const { href } = new URL(`../try/lab/wordorder_lab/systems/everyday_models/${name}`, lite);
    const { contents } = pyodide.FS.createLazyFile(folder, name, href, true, false);
    const { cacheLength } = contents;
    contents.cacheLength = () => {
      try {
        cacheLength.call(contents);
      } catch { // for Python it is a file that cannot be read, not the end of its kernel
        throw new pyodide.FS.ErrnoError(EIO);
      }
    };
  }
  return pyodide;
};
