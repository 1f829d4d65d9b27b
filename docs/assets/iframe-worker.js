// A browser starts no worker for a page that was opened from a folder. There the search runs in a
// hidden frame instead, which takes and gives messages as a worker would.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "search";
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      const base = document.baseURI;
      inside.document.open();
      inside.document.write(
        `<base href="${base}"><script>postMessage = data => parent.dispatchEvent(` +
          `new CustomEvent("from-search", { detail: data }))<\/script><script src="${url}"><\/script>`
      );
      inside.document.close();
      this.ready = new Promise(done => inside.addEventListener("load", done));
      window.addEventListener("from-search", event => {
        const message = new MessageEvent("message", { data: event.detail });
        this.dispatchEvent(message);
        this.onmessage?.(message);
      });
    }
    postMessage(data) {
      const inside = this.frame.contentWindow;
      this.ready.then(() => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
