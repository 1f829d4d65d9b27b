// Taking something home: the picture as SVG, the table behind it as CSV, the player as a page.

import { html, svg } from "./dom.js";

const DRAWN = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity",
  "font-family", "font-size", "font-weight", "font-style", "text-anchor", "text-decoration",
  "paint-order",
];

// A copy of the picture that needs no style sheet: what the style sheet says is written into it.
export function standalone(picture) {
  const copy = picture.cloneNode(true);
  const [from, to] = [
    [picture, ...picture.querySelectorAll("*")],
    [copy, ...copy.querySelectorAll("*")],
  ];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of DRAWN) to[i].style.setProperty(name, style.getPropertyValue(name));
    for (const name of ["tabindex", "role", "aria-pressed", "class"]) to[i].removeAttribute(name);
  });
  // In whole, a tree that is docked stands in its place.
  copy.querySelector("[style*=translate]")?.style.removeProperty("translate");
  const { width, height } = picture.viewBox.baseVal;
  const paper = getComputedStyle(picture.closest(".wol-player")).backgroundColor;
  copy.prepend(svg("rect", { width, height, fill: paper }));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

export function csvText({ head, rows }) {
  const cell = (value) => {
    const text = String(value ?? "");
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [head, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = html("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export function tableElement({ head, rows }, most = 400) {
  const cells = (row, tag) =>
    html(
      "tr",
      {},
      row.map((value) => html(tag, tag === "th" ? { scope: "col" } : {}, value ?? "")),
    );
  const more =
    rows.length > most ? html("p", {}, `${rows.length - most} more rows: take them as CSV.`) : null;
  return html(
    "div",
    {},
    html(
      "table",
      {},
      html("thead", {}, cells(head, "th")),
      html(
        "tbody",
        {},
        rows.slice(0, most).map((row) => cells(row, "td")),
      ),
    ),
    more,
  );
}
