"""Keeps the keys that are meant for the form's controls from JupyterLab.

There the key "b" on a focused button or list would add a cell. Only this file needs anywidget;
without it the form works all the same.
"""

from __future__ import annotations

import anywidget


class Keys(anywidget.AnyWidget):
    """Nothing to look at: it marks the form that it is part of, once that is on the page."""

    _esm = """
    function mark(el, tries) {
      const form = el.closest(".wol-form");
      if (form) form.setAttribute("data-lm-suppress-shortcuts", "true");
      else if (tries) requestAnimationFrame(() => mark(el, tries - 1));
    }
    export default { render: ({ el }) => mark(el, 600) };
    """
