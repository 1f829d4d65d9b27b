// Texts whose contrast with what they stand on is below 4.5, each once with its contrast, and how
// many were looked at. Opacity of all around a text counts; below it lies the last rectangle that
// was drawn under its middle, or the background of an element around it.
(moments) => {
  const player = wordorderPlayer, faint = new Map();
  let seen = 0;
  const parts = (color) => {
    const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = ([r, g, b, a], below, opacity = 1) =>
    [r, g, b].map((one, i) => one * a * opacity + below[i] * (1 - a * opacity));
  const light = (color) => {
    const [r, g, b] = color.map((v) => v / 255)
      .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const opacityOf = (one) => (one === player.root ? 1
    : Number(getComputedStyle(one).opacity) * opacityOf(one.parentElement));
  const backOf = (one) => {
    const own = parts(getComputedStyle(one).backgroundColor);
    return own[3] ? over(own, own[3] < 1 ? backOf(one.parentElement) : [0, 0, 0])
      : one === player.root ? [255, 255, 255] : backOf(one.parentElement);
  };
  const under = (text) => {
    const box = text.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    let found = backOf(text.closest("svg").parentElement);
    for (const one of text.closest("svg").querySelectorAll("rect, circle")) {
      if (one.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_PRECEDING) break;
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const { fill, fillOpacity } = getComputedStyle(one);
      if (fill === "none" || x < left || x > right || y < top || y > bottom) continue;
      found = over(parts(fill), found, fillOpacity * opacityOf(one));
    }
    return found;
  };
  const judge = (one, color, below) => {
    seen += 1;
    const ink = over(parts(color), below, opacityOf(one));
    const [a, b] = [light(ink), light(below)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const key = `${one.getAttribute("class")} in ${one.parentElement.getAttribute("class")}`;
    if (contrast < 4.5 && !faint.has(key))
      faint.set(key, `${contrast.toFixed(2)}: ${key}: ${one.textContent.slice(0, 40)}`);
  };
  for (let i = 1; i <= moments; i += 1) {
    player.go(Math.round((player.clock.last * i) / moments));
    for (const one of player.root.querySelectorAll("*")) {
      const words = [...one.childNodes].some((it) => it.nodeType === 3 && it.data.trim());
      if (!words || !one.getClientRects().length || one.closest("[aria-disabled=true]")) continue;
      const style = getComputedStyle(one);
      if (style.visibility === "hidden" || one.matches("title, option")) continue;
      if (one.matches("text, tspan")) judge(one, style.fill, under(one.closest("text")));
      else judge(one, style.color, backOf(one));
    }
  }
  return [seen, [...faint.values()]];
}
