// The words of a sentence below columns that are narrower than they are: on as many lines as it
// takes, each below its column, with a thin line up to it.

import { clip, svg, textWidth } from "../player/dom.js";
import { round1 } from "../player/pictures.js";

const WORD_LINE = { tall: 16, most: 5, gap: 6, foot: 6 };

// For each word its line, its middle, its width and what is shown of it; and the height of all
// lines. `middles` are the columns, `width` is how far the picture goes.
export function onLines(words, middles, width, scale) {
  const ends = [];
  const laid = words.map((word, i) => {
    const whole = textWidth(word, true) * scale;
    const put = (wide) => Math.max(wide / 2 + 1, Math.min(middles[i], width - wide / 2 - 1));
    let row = ends.findIndex((end) => end <= put(whole) - whole / 2);
    if (row < 0 && ends.length < WORD_LINE.most) row = ends.length;
    if (row < 0) row = ends.indexOf(Math.min(...ends));
    const free = Math.max(9 * scale, 2 * (put(whole) - (ends[row] ?? -Infinity)));
    const wide = Math.min(whole, free);
    const shown = wide < whole ? clip(word, wide / scale, { bold: true }) : word;
    ends[row] = put(wide) + wide / 2 + WORD_LINE.gap * scale;
    return { row, shown, wide, x: put(wide), y: (13 + WORD_LINE.tall * row) * scale };
  });
  return { laid, tall: (WORD_LINE.tall * Math.max(1, ends.length) + WORD_LINE.foot) * scale };
}

// The lines from words that stand further down up to their columns.
export function lineUps({ laid }, middles, base, scale) {
  const d = laid.map(({ row, y }, i) =>
    row ? `M${round1(middles[i])} ${round1(base + 2)}V${round1(base + y - 11 * scale)}` : "");
  return svg("path", { class: "wol-line-up", d: d.join("") });
}
