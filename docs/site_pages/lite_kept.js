// Files of Python beside JupyterLite: each is checked before it is used, and kept in the browser's
// cache under its checksum, so that a second visit loads none of them.

const KEPT = "wordorder_lab-lite";
const plain = self.fetch.bind(self); // the kernel's worker will have another one
const none = () => null;

const key = (root, { integrity }) => new URL(`kept/${encodeURIComponent(integrity)}`, root);

// Where the page is not secure there is no cache, and the site is asked each time.
const opened = () => self.caches?.open(KEPT).catch(none);

export async function file(root, name, fact) {
  const cache = await opened(), { integrity } = fact;
  const found = await cache?.match(key(root, fact)).catch(none);
  if (found) {
    const address = URL.createObjectURL(await found.blob());
    const checked = await plain(address, { integrity }).catch(none);
    URL.revokeObjectURL(address);
    if (checked) return checked;
  }
  const answer = await plain(new URL(name, root), { integrity });
  if (answer.ok) await cache?.put(key(root, fact), answer.clone()).catch(none);
  return answer;
}

// Files of an older site go.
export async function forget(root, facts) {
  const cache = await opened(), now = new Set(facts.map((fact) => key(root, fact).href));
  for (const { url } of await cache?.keys() ?? []) if (!now.has(url)) cache.delete(url);
}
