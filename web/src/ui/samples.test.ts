import { describe, expect, it } from "vitest";
import { Samples, csv } from "./samples";

function filled(capacity: number, count: number): Samples {
  const samples = new Samples(capacity);
  samples.setQuantities(["a"]);
  for (let i = 0; i < count; ++i) samples.push(i, () => 10 * i);
  return samples;
}

describe("Samples", () => {
  it("keeps the newest when full", () => {
    const samples = filled(4, 10);
    expect(samples.count).toBe(4);
    expect(samples.window(["a"], -Infinity, Infinity)).toEqual([[6, 7, 8, 9], [60, 70, 80, 90]]);
  });

  it("drops what lies after when time goes back, across the end of the ring", () => {
    const samples = filled(4, 10);
    samples.push(7.5, () => 1);
    expect(samples.window(["a"], -Infinity, Infinity)).toEqual([[6, 7, 7.5], [60, 70, 1]]);
    samples.push(0, () => 2);
    expect(samples.window(["a"], -Infinity, Infinity)).toEqual([[0], [2]]);
  });

  it("replaces a sample of the same time and keeps what is not told again", () => {
    const samples = filled(4, 2);
    samples.push(1, () => undefined);
    samples.push(1, () => 7);
    expect(samples.window(["a"], 0, 1)).toEqual([[0, 1], [0, 7]]);
  });

  it("has gaps where a quantity was not watched", () => {
    const samples = filled(8, 2);
    samples.setQuantities(["a", "b"]);
    samples.push(2, (name) => (name === "b" ? 5 : undefined));
    expect(samples.window(["a", "b"], 0, 2)).toEqual([[0, 1, 2], [0, 10, null], [null, null, 5]]);
  });

  it("forgets a quantity that is no longer watched", () => {
    const samples = filled(8, 2);
    samples.setQuantities([]);
    samples.setQuantities(["a"]);
    expect(samples.window(["a"], 0, 2)).toEqual([[0, 1], [null, null]]);
  });

  it("gives a window with one sample more on each side", () => {
    expect(filled(100, 10).window(["a"], 3.5, 5)[0]).toEqual([3, 4, 5, 6]);
  });
});

describe("csv", () => {
  it("quotes names and leaves gaps empty", () => {
    expect(csv(["p(1, 0)"], [[0, 1], [2, null]])).toBe('time,"p(1, 0)"\n0,2\n1,\n');
  });
});

describe("What was before somebody looked", () => {
  it("goes before the first sample, and into the gaps of a curve that is new", () => {
    const samples = new Samples(100);
    samples.setQuantities(["a"]);
    for (const time of [4, 5, 6]) samples.push(time, () => 10 * time);
    expect(samples.setQuantities(["a", "b"])).toBe(true);
    samples.recall(["a", "b"], [0, 2, 4, 6], [0, 0, 20, 2, 40, 4, 60, 6]);
    expect(samples.window(["a", "b"], 0, 6)).toEqual([[0, 2, 4, 5, 6], [0, 20, 40, 50, 60], [0, 2, 4, 5, 6]]);
    expect(samples.setQuantities(["a", "b"])).toBe(false);
  });

  it("keeps the newest where there is no room for all", () => {
    const samples = new Samples(4);
    samples.setQuantities(["a"]);
    for (const time of [7, 8]) samples.push(time, () => time);
    samples.recall(["a"], [1, 2, 3, 4], [1, 2, 3, 4]);
    expect(samples.window(["a"], 0, 9)[0]).toEqual([3, 4, 7, 8]);
  });
});
