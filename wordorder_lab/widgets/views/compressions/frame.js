// What pages about one sentence and its compressions have in common: a theme that follows the page
// around, and keys that stay here.

import { chooser } from "../player/dom.js";
import { onTheme, themeOf } from "../player/theme.js";

const SENTENCE_THEMES = [["auto", "theme of the page"], ["light", "light"], ["dark", "dark"]];

// Make an element such a page; a chooser of themes comes back. Who is inside is told the theme.
export function becomePage(root, name, look, told = () => null) {
  root.className = `wol-player ${look}`;
  root.tabIndex = -1;
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", name);
  root.setAttribute("data-lm-suppress-shortcuts", "true");
  root.addEventListener("keydown", (event) => event.stopPropagation());
  let wanted = "auto";
  const follow = () => {
    root.dataset.theme = themeOf(wanted);
  };
  onTheme(follow);
  follow();
  return chooser("Theme", SENTENCE_THEMES, "auto", (theme) => {
    wanted = theme;
    follow();
    told(theme);
  });
}
