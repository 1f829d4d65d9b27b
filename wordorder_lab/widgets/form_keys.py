"""Keeps the keys that are meant for the form's controls from JupyterLab.

There the key "b" on a focused button or list would add a cell. Only this file needs anywidget;
without it the form works all the same.
"""

from __future__ import annotations

import anywidget


class Keys(anywidget.AnyWidget):
    """Nothing to look at: it guards the form that it is part of, once that is on the page."""

    _esm = """
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
    """
