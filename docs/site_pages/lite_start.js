// Beside JupyterLite: how far Python's files have come, each checked, and in one line what is wrong.
// The kernel asks for the same files, and the browser gives it what has come.

(async () => {
  const line = Object.assign(document.createElement("p"), { id: "wol-start" });
  line.setAttribute("role", "status");
  Object.assign(line.style, {
    position: "fixed", inset: "auto 0 0 0", zIndex: 1000, margin: 0, padding: ".5rem 1rem",
    font: "1rem/1.4 system-ui, sans-serif", background: "#222", color: "#fff",
  });
  const root = new URL("./", document.currentScript?.src ?? location.href);
  let file; // of kept.js
  const say = (text) => {
    line.textContent = text;
    document.body.append(line);
  };
  if (location.protocol === "file:") {
    say("Notebooks need a server: python -m http.server in the folder of the site, and then "
      + "open http://localhost:8000/");
    return;
  }
  if (!globalThis.WebAssembly?.instantiate || !globalThis.Worker) {
    say("This browser cannot run Python: it has no WebAssembly, or no workers. Take another one, "
      + "or read the notebook as a page: ../../learn/");
    return;
  }
  let loaded = 0, blocked = false;

  // JupyterLite says nothing of this.
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
    if (effectiveDirective !== "worker-src") return;
    blocked = true;
    say("Python cannot start: this site, or your browser, lets no worker run. Allow workers for "
      + "it, or take another browser. Your answers are kept.");
  });

  // JupyterLab takes for saved what is typed while it saves, and would not save it by itself.
  const watched = new WeakSet();
  function watch(widget) {
    const context = widget?.context;
    if (!context || watched.has(context)) return;
    watched.add(context);
    let typed = false;
    context.model.contentChanged.connect(() => { typed = true; });
    context.saveState.connect((_, state) => {
      if (state === "started") typed = false;
      else if (typed) context.model.dirty = true;
    });
  }
  const waiting = setInterval(() => {
    const shell = globalThis.jupyterapp?.shell;
    if (!shell) return;
    clearInterval(waiting);
    shell.currentChanged.connect((_, { newValue }) => watch(newValue));
    watch(shell.currentWidget);
  }, 100);

  async function check(name, fact) {
    const answer = await file(root, name, fact).catch(() => null);
    if (!answer?.ok || (await answer.blob()).size !== fact.size) throw new Error(name);
    loaded += fact.size;
  }

  try {
    const { file: checked, forget } = await import(new URL("kept.js", root));
    file = checked;
    const facts = Object.entries(await (await fetch(new URL("files.json", root))).json());
    const total = facts.reduce((sum, [, { size }]) => sum + size, 0);
    const told = setInterval(() => blocked || say("Python is loading: "
      + `${Math.round(loaded / 1e6)} of ${Math.round(total / 1e6)} MB`), 300);
    try {
      for (const [name, fact] of facts) await check(name, fact);
    } finally {
      clearInterval(told);
    }
    await forget(root, facts.map(([, fact]) => fact));
    if (!blocked) line.remove();
  } catch (error) {
    say(`${error.message}: it is not there, came cut, or is not the file of this site. Reload the `
      + "page; if that does not help, tell whoever runs this site. Your answers are kept.");
  }
})();
