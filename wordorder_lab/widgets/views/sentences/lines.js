// The words of a sentence below columns that are narrower than they are: on as many lines as it
// takes, each below its column, with a thin line up to it.

import { clip, svg, textWidth } from "../player/dom.js";
import { round1 } from "../player/pictures.js";

const WORD_LINE = { tall: 16, most: 5, gap: 6, foot: 6 };

// For each word its line, its width and what is shown of it; and the height of all lines. `middles`
// are the columns, `width` is how far the picture goes.
export function onLines(words, middles, width, scale) {
  const ends = [];
  const laid = words.map((word, i) => {
    const wide = textWidth(word, true) * scale;
    const from = middles[i] - wide / 2;
    let row = ends.findIndex((end) => end <= from);
    if (row < 0 && ends.length < WORD_LINE.most) row = ends.length;
    if (row < 0) row = ends.indexOf(Math.min(...ends));
    const free = 2 * Math.min(
      middles[i] - (ends[row] ?? 0), Math.max(12 * scale, width - middles[i])) - 2;
    const shown = wide > free ? clip(word, Math.max(9, free / scale), { bold: true }) : word;
    const half = Math.min(wide, Math.max(9 * scale, free)) / 2;
    ends[row] = middles[i] + half + WORD_LINE.gap * scale;
    return { row, shown, wide: 2 * half, y: (13 + WORD_LINE.tall * row) * scale };
  });
  return { laid, tall: (WORD_LINE.tall * Math.max(1, ends.length) + WORD_LINE.foot) * scale };
}

// The lines from words that stand further down up to their columns.
export function lineUps({ laid }, middles, base, scale) {
  const d = laid.map(({ row, y }, i) =>
    row ? `M${round1(middles[i])} ${round1(base + 2)}V${round1(base + y - 11 * scale)}` : "");
  return svg("path", { class: "wol-line-up", d: d.join("") });
}
