// What a link says, and what the fields hold: plain texts by name. A link may be anybody's, so each
// value is checked before it is used, and a text of it only ever becomes a text.

const NAME = "try"; // in the browser's storage: what is typed outlives a page that is closed
const LONGEST = { bag: 3000, sentences: 6000, from: 1000 };
const CITED = 40;

export function cited(text) {
  return `“${text.length > CITED ? `${text.slice(0, CITED)}…` : text}”`;
}

// The number that a text says of a field: `{ value }`, or `{ problem }`, one line.
export function numberOf(text, { name, least, most, usual, step }) {
  const said = text.trim();
  if (!said && usual === "") return { value: null };
  const value = Number(said);
  const written = step ? /^\d*\.?\d{1,4}$/ : /^\d{1,6}$/;
  if (written.test(said) && value >= least && value <= most) return { value };
  const kind = step ? "a number" : "a whole number";
  return { problem: `${name} is ${kind} from ${least} to ${most}, not ${cited(said)}.` };
}

// The fields of a link or of what was kept; `null` where it says none.
export function read(hash) {
  const fields = Object.fromEntries(new URLSearchParams(hash.replace(/^#/, "")));
  for (const [name, most] of Object.entries(LONGEST))
    if (name in fields) fields[name] = fields[name].slice(0, most);
  return ["system", "learn", "bag"].some((name) => name in fields) ? fields : null;
}

export function write(fields) {
  const said = Object.entries(fields).filter(([, value]) => value !== "" && value != null);
  const hash = `#${new URLSearchParams(said)}`;
  try {
    history.replaceState(null, "", hash);
    sessionStorage.setItem(NAME, hash);
  } catch {
    // a page that may keep nothing goes on without
  }
  return hash;
}

export function kept() {
  try {
    return read(sessionStorage.getItem(NAME) ?? "");
  } catch {
    return null;
  }
}

// Event and item of a link, where they are numbers.
export function momentOf({ event, pin, view }) {
  const digits = (text) => (/^\d{1,9}$/.test(text ?? "") ? Number(text) : null);
  if (digits(event) === null) return null;
  return { event: digits(event), pin: digits(pin), view };
}
