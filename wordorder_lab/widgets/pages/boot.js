const source = `<!DOCTYPE html>\n${document.documentElement.outerHTML}\n`;
const place = document.getElementById("wol-page");
const worth = Object.fromEntries(Array.from("@@alphabet@@", (one, i) => [one.charCodeAt(0), i]));
const unpacked = async (id) => {
  const text = document.getElementById(id).textContent.trim();
  const bytes = new Uint8Array(Math.floor(text.length * 4 / 5));
  for (let i = 0; i < text.length; i += 5) {
    let four = 0;
    for (let j = i; j < i + 5; j += 1) four = four * 85 + (worth[text.charCodeAt(j)] ?? 84);
    for (let j = 0; j < 4; j += 1) bytes[i / 5 * 4 + j] = four / 256 ** (3 - j);
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
};
if (typeof DecompressionStream === "undefined") {
  place.textContent = "This browser is too old to open the log: it needs Chrome 80, Firefox 113 or Safari 16.4.";
} else {
  globalThis.wordorderPage = { place, source, data: await unpacked("wol-data") };
  const style = document.createElement("style");
  style.textContent = await unpacked("wol-style");
  document.head.append(style);
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = await unpacked("wol-module");
  document.head.append(script);
}
