// What pages about one sentence and its compressions have in common: a theme that follows the page
// around, and keys that stay here.

import { chooser } from "../player/dom.js";

const SENTENCE_THEMES = [["auto", "theme of the page"], ["light", "light"], ["dark", "dark"]];

// Make an element such a page; a chooser of themes comes back. Who is inside is told the theme.
export function becomePage(root, name, look, told = () => null) {
  root.className = `wol-player ${look}`;
  root.tabIndex = -1;
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", name);
  root.setAttribute("data-lm-suppress-shortcuts", "true");
  root.addEventListener("keydown", (event) => event.stopPropagation());
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let wanted = "auto";
  const follow = () => {
    const page = document.body.dataset.jpThemeLight;
    const night = page ? page === "false" : dark.matches;
    root.dataset.theme = wanted === "auto" ? (night ? "dark" : "light") : wanted;
  };
  dark.addEventListener("change", follow);
  new MutationObserver(follow).observe(document.body, {
    attributes: true, attributeFilter: ["data-jp-theme-light"],
  });
  follow();
  return chooser("Theme", SENTENCE_THEMES, "auto", (theme) => {
    wanted = theme;
    follow();
    told(theme);
  });
}
