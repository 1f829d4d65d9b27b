// Words that are written from right to left, such as Arabic and Hebrew, among what is not: isolates
// of Unicode, characters that nobody sees, keep either from turning the other round.

const TO_LEFT = "\u2067";
const TURNED = "\u2069";
const LEFTWARD = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}" +
  "\\u{1e800}-\\u{1efff}]";
const LEFTWARD_WORD = `${LEFTWARD}+(?:[…'’_\\u200c\\u200d-]?${LEFTWARD}+)*`;
// Marks and numbers between words, and marks behind the last of them.
const LONE_MARKS = "[\\d.,;:!?()\"'…-]{1,12}";
// Words in quotes or brackets are one text, whatever is between them; elsewhere those that follow
// each other are.
const QUOTED = "(?<=[“[])[^“”[\\]]+(?=[”\\]])";
const WORD_RUN = `…?${LEFTWARD_WORD}(?: (?:${LONE_MARKS} )*${LEFTWARD_WORD})*` +
  "(?: [.!?…]+(?=$|[”\\]]))?…?";
const TURNING = new RegExp(`${QUOTED}|${WORD_RUN}`, "gu");
const WORD_RUNS = new RegExp(WORD_RUN, "gu");
const ANY_LETTER = new RegExp(LEFTWARD, "u");

// Whether the first letter is of such a script.
export function readsLeft(text) {
  return ANY_LETTER.test(/\p{L}/u.exec(text)?.[0] ?? "");
}

export function isolated(text) {
  if (!ANY_LETTER.test(text)) return text;
  const turned = (part) => TO_LEFT + part + TURNED;
  return text.replace(TURNING, (part) =>
    readsLeft(part) ? turned(part) : part.replace(WORD_RUNS, turned));
}

// Pieces of one sentence, texts and elements, that are children of the same element.
export function sentenceOf(pieces) {
  const text = pieces.map((piece) => piece?.textContent ?? piece ?? "").join("");
  return readsLeft(text) ? [TO_LEFT, ...pieces, TURNED] : pieces;
}
