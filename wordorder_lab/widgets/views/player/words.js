// Numbers and pieces of sentences, as all views write them.

export function number(value) {
  if (!Number.isFinite(value)) return "?";
  if (value !== 0 && Math.abs(value) < 0.005)
    return String(Number(value.toPrecision(1))).replaceAll("-", "−");
  const rounded = Math.abs(value) >= 1000 ? value.toFixed(0) : value.toFixed(2);
  return rounded
    .replace(/\.?0+$/, (zeros) => (rounded.includes(".") ? "" : zeros))
    .replace("-", "−");
}

const GROUPS = new globalThis.Intl.NumberFormat("en"); // made once: a new one each time is slow

// A whole number with commas.
export function withCommas(count) {
  return GROUPS.format(count);
}

export function plural(count, noun) {
  return `${withCommas(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// A reason as the end of a sentence; it may end with a full stop that is a word of the bag.
export function sayReason(reason) {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

// Two scores with as many digits as it takes to tell them apart.
export function tellApart(a, b) {
  for (let digits = 3; digits < 15 && a !== b && number(a) === number(b); digits += 1) {
    const told = [a, b].map((score) => score?.toFixed(digits).replace("-", "−"));
    if (told[0] !== told[1]) return told;
  }
  return [number(a), number(b)];
}
