// Light or dark: as it was chosen, else as the notebook around it or the system has it.

const DARK = "(prefers-color-scheme: dark)";

export function themeOf(chosen) {
  if (chosen !== "auto") return chosen;
  const page = document.body.dataset.jpThemeLight;
  const dark = page ? page === "false" : matchMedia(DARK).matches;
  return dark ? "dark" : "light";
}

// Call this whenever the notebook or the system changes it; until what comes back is called.
export function onTheme(changed) {
  const system = matchMedia(DARK);
  const page = new MutationObserver(changed);
  system.addEventListener("change", changed);
  page.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  return () => {
    system.removeEventListener("change", changed);
    page.disconnect();
  };
}
