// A feature in plain words: "the tag of the head is VBD; the dependent stands on its right".

const STACK = { S0: "the top of the stack", S1: "the second word of the stack" };
const BESIDE = {
  l: "the outermost left dependent of",
  l2: "the left dependent attached before it of",
  r: "the outermost right dependent of",
  r2: "the right dependent attached before it of",
  h: "the given head of",
  c: "the first dependent still in the bag of",
  c2: "the last dependent still in the bag of",
  s: "the first sibling still in the bag of",
  s2: "the last sibling still in the bag of",
};
const COUNTED = {
  dl: "the distance to the outermost left dependent of",
  dr: "the distance to the outermost right dependent of",
  vl: "the number of left dependents of",
  vr: "the number of right dependents of",
  n: "the number of words below",
  hs: "the place of the given head of",
};
const WHOLE = {
  d: "the distance of the two words on top of the stack",
  b: "the number of words left in the bag",
};
const LAST = ["the last word so far", "the word before the last", "the third word from the end"];
const ATOM =
  /(S[01])(?:,([lr]2?|h|[cs]2?))?([wp]|n)|(S[01])(d[lr]|v[lr]|hs)|([wp])(0|-1|-2)|([db])/y;

const PLACES = {
  h: "the head",
  m: "the dependent",
  s: "its nearest sibling on that side",
  s2: "the next sibling towards the head",
  b: "a word between head and dependent",
  h_l: "the leftmost dependent of the head",
  h_r: "the rightmost dependent of the head",
  m_l: "the leftmost dependent of the dependent",
  m_r: "the rightmost dependent of the dependent",
  "h-1": "the word before the head",
  "h+1": "the word after the head",
  "m-1": "the word before the dependent",
  "m+1": "the word after the dependent",
  B: "the first word of the right part",
  "B-1": "the last word of the left part",
  "B-2": "the word before the last of the left part",
  "B+1": "the second word of the right part",
  0: "the first word of the sentence",
  1: "the second word of the sentence",
  2: "the third word of the sentence",
  "size-1": "the last word of the sentence",
  "size-2": "the word before the last of the sentence",
  "size-3": "the third word from the end of the sentence",
};
const SLOTS = {
  WORD: (place) => place,
  POS: (place) => `the tag of ${place}`,
  LVAL: (place) => `the number of left dependents of ${place}`,
  RVAL: (place) => `the number of right dependents of ${place}`,
};
const ALONE = {
  dir: "the side of the dependent",
  dist: "the side and distance of the dependent",
  "NORM(size)": "the number of words, roughly",
};

// "" for a feature whose template is not known, or whose values cannot be told apart.
export function featureWords({ feature, action }) {
  const cut = feature.indexOf(" = ");
  const template = cut < 0 ? feature : feature.slice(0, cut);
  const names = slotsOf(template) ?? stackAtoms(template) ?? wordsOfCcg(template);
  const values = feature.slice(cut + 3).split(", ");
  if (cut < 0 || !names || names.length !== values.length) return "";
  const told = names.map((name, i) => `${name} is ${sayValue(values[i])}`).join("; ");
  return action ? `${told}; and the action is ${action}` : told;
}

// The same, briefly; what is not known, or comes in words already, stays as it is.
export function featureBriefly({ feature, action }) {
  const words = featureWords({ feature, action }).replace("; and the action is ", "; action ");
  const brief = words.replace(/(^|; )the /g, "$1").replace(/ is “/g, ": “");
  return brief || (action ? `${feature} with ${action}` : feature);
}

function sayValue(value) {
  return value === "-BEGIN-" ? "not there: the sentence has just begun" : `“${value}”`;
}

// WORD(h)·POS(m)·dir of best-first search on dependencies.
function slotsOf(template) {
  const slots = template.replace(/ \(h [<>] m\)$/, "").split("·").map((slot) => {
    const [, kind, place] = /^([A-Z]+)\((.+)\)$/.exec(slot) ?? [];
    return ALONE[slot] ?? (PLACES[place] && SLOTS[kind]?.(PLACES[place]));
  });
  return slots.every(Boolean) ? slots : null;
}

// S0wS0,lp of the transition system.
function stackAtoms(template) {
  const names = [];
  ATOM.lastIndex = 0;
  while (ATOM.lastIndex < template.length) {
    const atom = ATOM.exec(template);
    if (!atom) return null;
    names.push(atomWords(atom));
  }
  return names;
}

function atomWords([, stack, beside, what, counted, count, kind, back, whole]) {
  if (whole) return WHOLE[whole];
  if (counted) return `${COUNTED[count]} ${STACK[counted]}`;
  const place = back ? LAST[-Number(back)] : beside ? `${BESIDE[beside]} ${STACK[stack]}`
    : STACK[stack];
  if (what === "n") return `${COUNTED.n} ${place}`;
  return (what ?? kind) === "p" ? `the tag of ${place}` : place;
}

const CCG_WORDS = {
  category: ["the category"],
  constituent: ["the category"],
  size: ["the number of words"],
  "head word": ["the head word"],
  "head POS": ["the tag of the head"],
  "non-head word": ["the head word of the other part"],
  "leftmost word": ["the first word"],
  "rightmost word": ["the last word"],
  "leftmost POS bigram": ["the first tag", "the second tag"],
  "rightmost POS bigram": ["the tag before the last", "the last tag"],
  "lmost POS": ["the first tag"],
  "rmost POS": ["the last tag"],
  "the binary rule": ["the rule that joined two parts"],
  rule: ["the rule that joined two parts"],
  "unary rule": ["the rule that changed one edge"],
};
const SEAM = ["the first", "the second", "the third"];

// "category + head word" of CCG; "… resulting …" are words in a row across the seam of two parts.
function wordsOfCcg(template) {
  const seam = /resulting/.test(template);
  if (!seam) {
    const parts = template.split(" + ").map((part) => CCG_WORDS[part]);
    return parts.every(Boolean) ? parts.flat() : null;
  }
  const count = /trigram/.test(template) ? 3 : 2;
  const mixed = /^resulting (.+) (?:bi|tri)grams$/.exec(template)?.[1].split(" + ") ?? [];
  const one = /lexical category/.test(template) ? "category"
    : /^POS/.test(template) ? "tag" : "word";
  return SEAM.slice(0, count).map((place, i) => {
    const kind = mixed.length === count ? (mixed[i] === "POS" ? "tag" : "word") : one;
    return `${place} ${kind} across the seam of the two parts`;
  });
}
