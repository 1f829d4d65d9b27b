// What the panels share that ask the model in Python: the chart's "drive", the transduction's swap.

export const KERNEL_LATE = "the kernel does not answer: run the cell again first";

// The panel is made anew at each drawing; a button that had the focus keeps it.
export function keepFocus(kept, panel) {
  const before = document.activeElement;
  const name = kept.panel?.contains(before) ? before.dataset.drive : null;
  kept.panel = panel;
  if (!name) return;
  queueMicrotask(() => {
    const again =
      panel.querySelector(`[data-drive="${name}"]`) ?? panel.querySelector("[data-drive]");
    if (document.activeElement === document.body) again?.focus({ preventScroll: true });
  });
}
