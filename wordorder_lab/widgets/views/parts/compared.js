// Totals taken apart and laid beside each other: what differs on top, what is alike after it.

const NEARLY_ALIKE = 1e-9;

// Sides are maps, key -> {name or item, value}, of one total or two. Each part comes with its
// values of all sides: those that differ most first; those that are alike; what is whole.
export function compareParts(sides) {
  const rows = [...new Set(sides.flatMap((side) => [...side.keys()]))].map((key) => ({
    ...sides.map((side) => side.get(key)).find(Boolean),
    values: sides.map((side) => side.get(key)?.value),
  }));
  const apart = ({ values: [a = 0, b = 0] }) => Math.abs(a - b);
  const features = rows.filter((row) => row.item === undefined);
  return {
    differ: features.filter((row) => apart(row) > NEARLY_ALIKE).sort((a, b) => apart(b) - apart(a)),
    alike: features.filter((row) => apart(row) <= NEARLY_ALIKE),
    wholes: rows.filter((row) => row.item !== undefined && row.values.some(Boolean)),
  };
}

// The first rows, and one of what all others come to; some are always shown.
export function foldRows(rows, most, says, always = () => false) {
  const isShown = (row, i) => i < most || always(row);
  const rest = rows.filter((row, i) => !isShown(row, i));
  if (!rest.length) return rows;
  const values = rest[0].values.map((_, i) =>
    rest.reduce((sum, row) => sum + (row.values[i] ?? 0), 0));
  return [...rows.filter(isShown), { name: says(rest.length), values, plain: true }];
}
