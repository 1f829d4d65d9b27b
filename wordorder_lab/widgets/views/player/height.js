// Inside another page: tell it how much room is needed. The need may grow and never shrinks, so
// that what stands below does not jump about with every step.

export function tellHeight(place) {
  let told = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(place.getBoundingClientRect().height);
    if (height <= told) return;
    told = height;
    window.parent.postMessage({ wordorderHeight: height }, "*");
  }).observe(place);
}
