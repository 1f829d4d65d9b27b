// The rows of an explorer as columns of numbers, and which of them a filter selects. Each filter
// has a bit; a row is selected if no bit of it is set. So a brush that moves changes one bit of
// each row, and every histogram counts the rows whose only bit may be its own.

const BINS = 24;

export class ExplorerRows {
  constructor({ columns, values, rows }) {
    this.size = rows;
    this.columns = columns;
    this.values = values;
    this.of = Object.fromEntries(columns.map((column) => [column.name, column]));
    this.filter = {};
    this.bits = Object.fromEntries(
      [...columns.filter(({ kind }) => kind !== "text").map(({ name }) => name), "text"].map(
        (name, i) => [name, 1 << i],
      ),
    );
    this.out = new Int32Array(rows);
    this.numbers = {};
    columns.forEach(({ name, kind }) => {
      if (kind === "whole" || kind === "number")
        this.numbers[name] = Float64Array.from(values[name], (value) => value ?? NaN);
    });
    this.texts = columns.filter(({ kind }) => kind === "text").map(({ name }) => name);
    this.lower = null; // small letters of all texts, made when they are first looked into
    this.binned = Object.fromEntries(
      columns.filter((column) => column.histogram).map((column) => [column.name, this.bin(column)]),
    );
    this.order = Int32Array.from({ length: rows }, (_, i) => i);
    const worst = ["bleu", "relation_f1", "difference"].find((name) => this.of[name]);
    this.sort(worst ?? "number", 1); // the worst, or what B is worse at, on top
  }

  // Set one filter, or with null take it away.
  setOne(name, wanted) {
    const bit = this.bits[name];
    if (bit === undefined) return;
    const keeps = wanted === null ? null : this.test(name, wanted);
    if (keeps) this.filter = { ...this.filter, [name]: wanted };
    else this.filter = Object.fromEntries(Object.entries(this.filter).filter(([n]) => n !== name));
    const { out, size } = this;
    for (let i = 0; i < size; i += 1) out[i] = keeps && !keeps(i) ? out[i] | bit : out[i] & ~bit;
    this.choose();
  }

  setAll(filter) {
    for (const name of Object.keys(this.bits)) {
      const wanted = filter[name] ?? null;
      if (JSON.stringify(wanted) !== JSON.stringify(this.filter[name] ?? null))
        this.setOne(name, wanted);
    }
  }

  // Whether a row passes a filter, as a function of its place. What is missing is in no range.
  test(name, wanted) {
    if (name === "text") {
      if (!wanted) return null;
      const small = wanted.toLowerCase();
      this.lower ??= this.texts.map((text) =>
        this.values[text].map((value) => String(value).toLowerCase()),
      );
      return (i) => this.lower.some((texts) => texts[i].includes(small));
    }
    const values = this.values[name];
    if (this.of[name].kind === "choice") return (i) => wanted.includes(values[i]);
    if (this.of[name].kind === "flag") return (i) => values[i] === wanted;
    const [low, high] = [wanted[0] ?? -Infinity, wanted[1] ?? Infinity];
    const numbers = this.numbers[name];
    return (i) => numbers[i] >= low && numbers[i] <= high;
  }

  // The selected rows in the order of the table, and how many there are.
  choose() {
    const { order, out } = this;
    this.chosen ??= new Int32Array(this.size);
    let count = 0;
    for (let k = 0; k < order.length; k += 1) {
      if (out[order[k]] === 0) {
        this.chosen[count] = order[k];
        count += 1;
      }
    }
    this.count = count;
  }

  // Sort by a column; what is missing comes last, and equal rows stay in the order of sentences.
  sort(name, way) {
    this.sorted = { name, way };
    const numbers = this.numbers[name];
    const values = this.values[name];
    const kinds = this.of[name].values ?? [];
    const rank = (value) => (kinds.includes(value) ? kinds.indexOf(value) : kinds.length);
    const compare = numbers
      ? (a, b) => {
          const [x, y] = [numbers[a], numbers[b]];
          if (x === y || (x !== x && y !== y)) return a - b;
          if (x !== x || y !== y) return x !== x ? 1 : -1;
          return way * (x - y);
        }
      : (a, b) => {
          const ahead = rank(values[a]) - rank(values[b]);
          const [x, y] = [values[a], values[b]];
          return way * (ahead || (x < y ? -1 : x > y ? 1 : 0)) || a - b;
        };
    this.order.sort(compare);
    this.choose();
  }

  // --- histograms -----------------------------------------------------------------------------

  // The bin of every row (-1: the value is missing), and where bins begin and end.
  bin(column) {
    const { size } = this;
    const places = new Int32Array(size).fill(-1);
    if (column.kind === "choice") {
      const values = this.values[column.name];
      const names = [...new Set([...column.values, ...values])].filter((value) =>
        values.includes(value),
      );
      for (let i = 0; i < size; i += 1) places[i] = names.indexOf(values[i]);
      return { places, names, bins: names.length };
    }
    const numbers = this.numbers[column.name];
    let [least, most] = [Infinity, -Infinity];
    for (let i = 0; i < size; i += 1) {
      if (numbers[i] < least) least = numbers[i];
      if (numbers[i] > most) most = numbers[i];
    }
    if (least > most) return { places, edges: [0, 1], bins: 1, least: 0, most: 0 };
    const edges = edgesOfBins(least, most, column.kind === "whole");
    const bins = edges.length - 1;
    for (let i = 0; i < size; i += 1) {
      if (numbers[i] !== numbers[i]) continue;
      let place = Math.min(bins - 1, Math.floor((numbers[i] - edges[0]) / (edges[1] - edges[0])));
      while (place > 0 && numbers[i] < edges[place]) place -= 1;
      while (place < bins - 1 && numbers[i] >= edges[place + 1]) place += 1;
      places[i] = place;
    }
    return { places, edges, bins, least, most };
  }

  // How many rows a bin has: of all (`every`), and of those that the other filters select.
  counts(name) {
    const { places, bins } = this.binned[name];
    const [every, here] = [new Int32Array(bins), new Int32Array(bins)];
    const others = ~this.bits[name];
    const { out, size } = this;
    for (let i = 0; i < size; i += 1) {
      const place = places[i];
      if (place < 0) continue;
      every[place] += 1;
      if ((out[i] & others) === 0) here[place] += 1;
    }
    return { every, here };
  }

  // The range of a filter that has just these bins. The upper end is the largest value in them:
  // the edge itself belongs to the next bin.
  rangeOf(name, from, to) {
    const { places, edges, bins } = this.binned[name];
    if (to === bins - 1) return [edges[from], edges[bins]];
    if (this.of[name].kind === "whole") return [edges[from], edges[to + 1] - 1];
    let high = (edges[to] + edges[to + 1]) / 2;
    const numbers = this.numbers[name];
    for (let i = 0; i < this.size; i += 1)
      if (places[i] >= from && places[i] <= to && numbers[i] > high) high = numbers[i];
    return [edges[from], high];
  }
}

function edgesOfBins(least, most, whole) {
  let step = (most - least) / BINS || 1;
  const power = 10 ** Math.floor(Math.log10(step));
  step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= step * 0.999);
  if (whole) step = Math.max(1, Math.ceil((most - least + 1) / BINS));
  const first = whole ? least : Math.floor(least / step) * step;
  const edges = [first];
  while (edges[edges.length - 1] <= most - (whole ? 0 : step * 1e-9))
    edges.push(Number((first + edges.length * step).toPrecision(12)));
  return edges.length > 1 ? edges : [first, first + step];
}
