// JupyterLab listens at the document. The attribute alone does not keep it from a key: it takes
// effect above the focused element, where selectors such as ".jp-Notebook :focus" have matched.
function guard(form) {
  form.setAttribute("data-lm-suppress-shortcuts", "true");
  form.addEventListener("keydown", (event) => event.stopPropagation());
}
function find(el, tries) {
  const form = el.closest(".wol-form");
  if (form) guard(form);
  else if (tries) requestAnimationFrame(() => find(el, tries - 1));
}
export default { render: ({ el }) => find(el, 600) };
