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

  // Those that stay keep their past; a new one has none.
  setQuantities(names: readonly string[]): void {
    for (const name of this.columns.keys()) if (!names.includes(name)) this.columns.delete(name);
    for (const name of names) {
      if (!this.columns.has(name)) this.columns.set(name, new Float64Array(this.capacity).fill(NaN));
    }
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

// As a spreadsheet reads it. A name may contain commas: point(1, 0, 0).
export function csv(names: readonly string[], data: readonly (readonly (number | null)[])[]): string {
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [["time", ...names].map(quote).join(",")];
  const times = data[0] ?? [];
  for (let i = 0; i < times.length; ++i) lines.push(data.map((column) => column[i] ?? "").join(","));
  return lines.join("\n") + "\n";
}
