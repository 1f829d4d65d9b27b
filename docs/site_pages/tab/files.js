// The files of this site that Python needs: each is checked before it is used, and kept in the
// browser's cache under its checksum, so that a second visit loads none of them.

const KEPT = "wordorder_lab";
const PACKED = ".packed"; // gzipped, under a name that no server unpacks by itself
const plain = self.fetch.bind(self);

// Where the page is not secure, as on a teacher's own server without https, a browser has neither a
// cache for scripts nor checksums; there it checks a file itself, as it comes.
const secure = Boolean(self.caches && self.crypto?.subtle);

export class Files {
  constructor(here, tell) {
    Object.assign(this, { here, tell, facts: {}, loaded: 0, wanted: 0, coming: new Map() });
  }

  async begin() {
    const answer = await plain(new URL("files.json", this.here)).catch(() => null);
    if (!answer?.ok) throw new Error("files.json, the list of its files, is not there");
    this.facts = await answer.json();
    this.cache = secure ? await self.caches.open(KEPT).catch(() => null) : null;
    this.forget();
  }

  has(name) {
    return Object.hasOwn(this.facts, name);
  }

  // The bytes of a file, as they are after unpacking; asked twice it comes once, until dropped.
  get(given) {
    const name = given.replace(/\.packed$/, "");
    const file = this.has(name + PACKED) ? name + PACKED : name;
    if (!this.coming.has(file)) this.coming.set(file, this.whole(file));
    const bytes = this.coming.get(file);
    bytes.catch(() => this.coming.delete(file)); // it may come when it is asked for again
    return bytes;
  }

  // It is where it is used: the memory of a phone is small.
  drop(name) {
    for (const file of [name, name + PACKED]) this.coming.delete(file);
  }

  async whole(name) {
    const bytes = await this.kept(name) ?? await this.downloaded(name);
    if (!name.endsWith(PACKED)) return bytes;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const unpacked = new Uint8Array(await new Response(stream).arrayBuffer());
    await this.check(name, unpacked, this.facts[name].contents);
    return unpacked;
  }

  async kept(name) {
    const answer = await this.cache?.match(this.key(name)).catch(() => null);
    if (!answer) return null;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return this.check(name, bytes, this.facts[name].integrity).then(() => bytes, () => null);
  }

  async downloaded(name) {
    const { size, integrity } = this.facts[name];
    const how = secure ? {} : { integrity };
    this.wanted += size;
    const answer = await plain(new URL(name, this.here), how).catch(() => null);
    if (!answer) throw new Error(`${name} did not come: are you offline?`);
    if (!answer.ok) throw new Error(`${name} is not there (${answer.status})`);
    const bytes = await this.read(name, answer.body.getReader(), size);
    await this.check(name, bytes, integrity);
    await this.cache?.put(this.key(name), new Response(bytes)).catch(() => null);
    return bytes;
  }

  // What has come so far is told.
  async read(name, reader, size) {
    const bytes = new Uint8Array(size);
    let at = 0;
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true }));
      if (done) break;
      if (at + value.length > size) throw new Error(`${name} is another file than this page's`);
      bytes.set(value, at);
      at += value.length;
      this.loaded += value.length;
      this.tell({ loaded: this.loaded, total: this.wanted });
    }
    if (at < size) throw new Error(`${name} came cut, ${at} of ${size} bytes`);
    return bytes;
  }

  async check(name, bytes, integrity) {
    if (!secure) return;
    const digest = new Uint8Array(await self.crypto.subtle.digest("SHA-256", bytes));
    if (`sha256-${btoa(String.fromCharCode(...digest))}` !== integrity)
      throw new Error(`${name} is another file than this page's: its checksum differs`);
  }

  key(name) {
    return new URL(`kept/${encodeURIComponent(this.facts[name].integrity)}`, this.here);
  }

  // Files of an older site go.
  async forget() {
    if (!this.cache) return;
    const now = new Set(Object.keys(this.facts).map((name) => this.key(name).href));
    for (const { url } of await this.cache.keys()) if (!now.has(url)) this.cache.delete(url);
  }
}
