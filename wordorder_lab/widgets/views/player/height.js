// Inside another page: tell it how much room is needed. The need may grow and never shrinks, so
// that what stands below does not jump about with every step.

// A page is there. If its address says what is looked at, `read` it now and when it changes; inside
// another page it has no address of its own.
export function followAddress(place, root, read = () => null) {
  if (window.parent === window) {
    read();
    window.addEventListener("hashchange", read);
    root.focus({ preventScroll: true });
  } else tellHeight(place);
  document.documentElement.dataset.ready = "true";
}

export function tellHeight(place) {
  let told = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(place.getBoundingClientRect().height);
    if (height <= told) return;
    told = height;
    window.parent.postMessage({ wordorderHeight: height }, "*");
  }).observe(place);
}

// How much higher an element may grow, in pixels; 0 where no height is the most.
export function mayGrow(element) {
  const most = Number.parseFloat(getComputedStyle(element).maxHeight);
  return Math.max(0, Math.floor(most - element.getBoundingClientRect().height)) || 0;
}
