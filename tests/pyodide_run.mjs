// Runs the Python program of standard input in Pyodide, under Node. The arguments: the folder of
// Pyodide's files, a JSON object of paths there and here, and the program's own. The environment
// may name packages of the lock, in $PYODIDE_PACKAGES.

import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, mounts, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${folder}/`, args: ["program", ...rest] });
const packages = (process.env.PYODIDE_PACKAGES ?? "numpy").split(" ");
await python.loadPackage(packages, { messageCallback() {} });
python.FS.mkdirTree("/pure");
for (const [there, here] of Object.entries(JSON.parse(mounts))) {
  if (fs.statSync(here).isDirectory()) python.mountNodeFS(there, here);
  else python.FS.writeFile(there, fs.readFileSync(here));
}
python.globals.set("ARGUMENTS", python.toPy(rest));
try {
  python.runPython(`
import os, sys
sys.dont_write_bytecode = True
sys.path[:0] = ["/repo", "/repo/docs", "/repo/data", "/repo/tests", "/pure"]
os.chdir("/repo")
`);
  python.runPython(fs.readFileSync(0, "utf8"));
} catch (error) {
  console.log(error.message); // the stack would show a line of a megabyte
  process.exitCode = 1;
}
