// What the plots know: one ring of times, and beside it one of values for each quantity. All of them are read
// from the same states, so they share the times. Going back drops what lies after: it did not happen.
export class Samples {
  private readonly times: Float64Array;
  private readonly columns = new Map<string, Float64Array>();
  private start = 0;
  private length = 0;

  constructor(readonly capacity: number) {
    this.times = new Float64Array(capacity);
  }

  get count(): number {
    return this.length;
  }
  get first(): number | null {
    return this.length ? this.times[this.start]! : null;
  }
  get last(): number | null {
    return this.length ? this.times[this.slot(this.length - 1)]! : null;
  }

  clear(): void {
    this.start = 0;
    this.length = 0;
    this.columns.clear();
  }

  get names(): string[] {
    return [...this.columns.keys()];
  }

  // Those that stay keep their past; a new one has none. Whether there is a new one.
  setQuantities(names: readonly string[]): boolean {
    for (const name of this.columns.keys()) if (!names.includes(name)) this.columns.delete(name);
    const added = names.filter((name) => !this.columns.has(name));
    for (const name of added) this.columns.set(name, new Float64Array(this.capacity).fill(NaN));
    return added.length > 0;
  }

  push(time: number, read: (name: string) => number | undefined): void {
    const isAgain = this.last === time;
    if (!isAgain) {
      this.dropFrom(time);
      if (this.length === this.capacity) this.start = (this.start + 1) % this.capacity;
      else this.length++;
      this.times[this.slot(this.length - 1)] = time;
    }
    const at = this.slot(this.length - 1);
    for (const [name, values] of this.columns) {
      const value = read(name);
      if (value !== undefined) values[at] = value;
      else if (!isAgain) values[at] = NaN;
    }
  }

  // What was before: fills gaps of these columns, and puts rows before the first that is known. `values`: all names at the first time,
  // at the second, …
  recall(names: readonly string[], times: readonly number[], values: readonly number[]): void {
    const rows: { time: number; read: (name: string) => number }[] = [];
    for (let i = 0; i < this.length; ++i) {
      const at = this.slot(i);
      const row = new Map([...this.columns].map(([name, column]) => [name, column[at]!]));
      rows.push({ time: this.times[at]!, read: (name) => row.get(name) ?? NaN });
    }
    const first = rows[0]?.time ?? Infinity;
    const past = (k: number) => (name: string) => {
      const column = names.indexOf(name);
      return column < 0 ? NaN : (values[k * names.length + column] ?? NaN);
    };
    const earlier = times.flatMap((time, k) => (time < first ? [{ time, read: past(k) }] : []));
    // Between the times that were recalled as straight as a plot draws it.
    const later = rows.map(({ time, read }) => ({ time, read: (name: string) => (Number.isNaN(read(name)) ? between(times, past, time, name) : read(name)) }));
    const columns = [...this.columns.keys()];
    const all = [...earlier.slice(-Math.max(0, this.capacity - later.length)), ...later].map(({ time, read }) => ({ time, values: columns.map(read) }));
    this.start = 0;
    this.length = 0;
    for (const { time, values: row } of all) this.push(time, (name) => row[columns.indexOf(name)]);
  }

  // Those with from <= time <= to, and one more on each side so that lines reach the edges. What is not known is
  // null: a gap.
  window(names: readonly string[], from: number, to: number): [number[], ...(number | null)[][]] {
    const begin = Math.max(0, this.lowerBound(from) - 1);
    let end = this.lowerBound(to);
    while (end < this.length && this.times[this.slot(end)]! <= to) ++end;
    end = Math.min(this.length, end + 1);
    const times: number[] = [];
    for (let i = begin; i < end; ++i) times.push(this.times[this.slot(i)]!);
    const values = names.map((name) => {
      const column = this.columns.get(name);
      const out: (number | null)[] = [];
      for (let i = begin; i < end; ++i) {
        const value = column ? column[this.slot(i)]! : NaN;
        out.push(Number.isFinite(value) ? value : null);
      }
      return out;
    });
    return [times, ...values];
  }

  private dropFrom(time: number): void {
    while (this.length && this.times[this.slot(this.length - 1)]! >= time) this.length--;
  }

  private slot(i: number): number {
    return (this.start + i) % this.capacity;
  }

  private lowerBound(time: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[this.slot(middle)]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function between(times: readonly number[], at: (k: number) => (name: string) => number, time: number, name: string): number {
  const after = times.findIndex((t) => t >= time);
  if (after < 0) return NaN;
  if (after === 0 || times[after] === time) return times[after] === time ? at(after)(name) : NaN;
  const share = (time - times[after - 1]!) / (times[after]! - times[after - 1]!);
  return at(after - 1)(name) * (1 - share) + at(after)(name) * share;
}

// As a spreadsheet reads it. A name may contain commas: point(1, 0, 0).
export function csv(names: readonly string[], data: readonly (readonly (number | null)[])[]): string {
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [["time", ...names].map(quote).join(",")];
  const times = data[0] ?? [];
  for (let i = 0; i < times.length; ++i) lines.push(data.map((column) => column[i] ?? "").join(","));
  return lines.join("\n") + "\n";
}
