// Where words of an element stand, one after the other in its text: [left, right, top] of each.
(element, words) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const letters = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.localName !== "title")
      [...node.data].forEach((letter, i) => letters.push([node, i, letter]));
  }
  const text = letters.map(([, , letter]) => letter).join("");
  let from = 0;
  return words.map((word) => {
    const at = text.indexOf(word, from);
    if (at < 0) throw new Error(`no ${word} in ${text}`);
    from = at + word.length;
    const range = document.createRange();
    range.setStart(letters[at][0], letters[at][1]);
    range.setEnd(letters[from - 1][0], letters[from - 1][1] + 1);
    const { left, right, top } = range.getBoundingClientRect();
    return [left, right, top];
  });
}
