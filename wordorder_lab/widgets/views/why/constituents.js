// Whose log probability a constituent's is laid beside: that of the other labels of its cell.

import { chartItem, isHidden, parsingLook, rankedItems, wordsOver } from "../parsing/look.js";

// The label of the cell that is looked at.
function cellLook(state, place) {
  return parsingLook(state, { selected: place, kept: {} });
}

export const constituentReasons = {
  item: (state, place) => cellLook(state, place).item?.serial,

  name(state, serial) {
    const item = chartItem(state, serial);
    return item ? `${item.label} “${wordsOver(state, item.start, item.end)}”` : "the word";
  },

  rivals(state, place) {
    const { cell, item } = cellLook(state, place);
    const others = rankedItems(state, cell).filter((one) => one !== item);
    const [hidden, plain] = [true, false].map((wanted) =>
      others.filter((one) => isHidden(one) === wanted));
    return [...plain, ...hidden].map((one, i) =>
      [one.serial, one.out ? "out of the beam" : i ? "another label" : "the next best label"]);
  },
};
