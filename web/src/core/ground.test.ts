import { describe, expect, it } from "vitest";
import { Field, Grounds, unpacked } from "./ground";

// As the server packs it.
function packed(heights: number[], columns: number): number[] {
  const at = (i: number, dx: number, dy: number) => (i % columns >= dx && i >= dy * columns ? heights[i - dx - dy * columns]! : 0);
  return heights.map((h, i) => (h - at(i, 1, 0) - at(i, 0, 1) + at(i, 1, 1)) | 0);
}
const [columns, rows] = [20, 18]; // two tiles by two, three of them cut off
const base = Array.from({ length: columns * rows }, (_, i) => 7 * (i % columns) - i);
const field = (shape = 3) => ({ shape, columns, rows, spacing_x: 0.5, spacing_y: 0.25, stride: 1, last_x: 1, last_y: 1, unit: 0.01, heights: packed(base, columns) });
const tile = (tile: number, height: number, shape = 3) => {
  const { columns: c, rows: r } = new Field(field()).area(tile);
  return { shape, tile, columns: c, heights: packed(new Array(c * r).fill(height), c) };
};
const z = (grounds: Grounds, column: number, row: number) => grounds.fields[0]!.heights[2 * (row * columns + column)]!;
const change = (grounds: Grounds, column: number, row: number) => grounds.fields[0]!.heights[2 * (row * columns + column) + 1]!;

describe("The ground", () => {
  it("is unpacked as it was, also where numbers go round", () => {
    for (const heights of [base, [2147483647, -2147483648, 5, -2147483648, 2147483647, 0]]) {
      const wide = heights === base ? columns : 3;
      expect([...unpacked(packed(heights, wide), wide)]).toEqual(heights);
    }
  });

  it("has its last row and column where the model's end, whatever was left out", () => {
    const { x, y } = new Field({ ...field(), stride: 4, last_x: 3, last_y: 1 });
    expect([x[0], x[1], x[18], x[19]]).toEqual([0, 2, 36, 37.5]);
    expect([y[16], y[17]]).toEqual([16, 16.25]);
  });

  it("changes by tiles, and knows by how much", () => {
    const grounds = new Grounds();
    grounds.take({ fields: [field()] } as never, true);
    expect(z(grounds, 19, 17)).toBeCloseTo(0.01 * base.at(-1)!);
    grounds.hear({ tiles: [tile(3, 500)] });
    expect(z(grounds, 19, 17)).toBeCloseTo(5);
    expect(change(grounds, 19, 17)).toBeCloseTo(5 - 0.01 * base.at(-1)!);
    expect(z(grounds, 15, 17)).toBeCloseTo(0.01 * base[17 * columns + 15]!);
    expect(grounds.fields[0]!.high).toBeCloseTo(5);
    expect([...grounds.fields[0]!.tiles.version].map((v) => v > 0)).toEqual([false, false, false, true]);
  });

  it("is as in the scene where a whole message says nothing", () => {
    const grounds = new Grounds();
    grounds.take({ fields: [field()] } as never, true);
    grounds.hear({ tiles: [tile(0, 100), tile(3, 500)], heaps: [{ index: 1, body: 2, columns: 2, points: [1024, 0, 0, 0, 1024, 0, 0, 0, 0, 0, 0, 0] }] });
    expect([...grounds.heaps[1]!.points.slice(0, 6)]).toEqual([1, 0, 0, 1, 1, 0]);
    grounds.hear({ is_whole: true, tiles: [tile(0, 200)] });
    expect(z(grounds, 0, 0)).toBeCloseTo(2);
    expect(change(grounds, 19, 17)).toBe(0);
    expect(grounds.heaps[1]!.columns).toBe(0);
  });

  it("stays when a scene with the same fields comes, and not when another does", () => {
    const grounds = new Grounds();
    grounds.take({ fields: [field()] } as never, true);
    grounds.hear({ tiles: [tile(0, 100)] });
    grounds.take({ fields: [field(9), field()] } as never, false);
    expect(grounds.fields[1]!.heights[0]).toBeCloseTo(1);
    grounds.take({ fields: [{ ...field(), heights: [1, ...field().heights.slice(1)] }] } as never, false);
    expect(change(grounds, 0, 0)).toBe(0);
    grounds.hear({ tiles: [tile(0, 100)] });
    grounds.take({ fields: [field()] } as never, true);
    expect(change(grounds, 0, 0)).toBe(0);
  });

  it("leaves out what fits nothing", () => {
    const grounds = new Grounds();
    grounds.take({ fields: [field()] } as never, true);
    grounds.hear({ tiles: [{ ...tile(0, 100), heights: [1] }, tile(0, 100, 4), { ...tile(0, 100), tile: 77 }], places: [{ shape: 8 }] });
    expect(change(grounds, 0, 0)).toBe(0);
  });

  it("is placed, and seen from then on", () => {
    const grounds = new Grounds();
    grounds.take({ fields: [{ ...field(), is_away: true }] } as never, true);
    expect(grounds.fields[0]!.isAway).toBe(true);
    grounds.hear({ places: [{ shape: 3, position: [1, 2, 3], is_away: false, color: 0x102030 }] });
    expect(grounds.fields[0]).toMatchObject({ isAway: false, position: [1, 2, 3], color: 0x102030 });
  });
});
