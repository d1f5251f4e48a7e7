import { expect, it } from "vitest";
import { coarser, levelFor } from "./levels";

it("takes finer levels for what is larger on the screen", () => {
  const least = [160, 40, 10, 0];
  expect([500, 160, 159, 40, 12, 3].map((pixels) => levelFor(pixels, least))).toEqual([0, 0, 1, 1, 2, 3]);
  expect(levelFor(Infinity, least)).toBe(0);
});

// A ball of rings and sectors.
function ball(rings: number): { vertices: number[]; triangles: number[] } {
  const vertices: number[] = [];
  const triangles: number[] = [];
  const around = 2 * rings;
  for (let i = 0; i <= rings; ++i)
    for (let j = 0; j < around; ++j) {
      const [a, b] = [(Math.PI * i) / rings, (2 * Math.PI * j) / around];
      vertices.push(Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a));
    }
  for (let i = 0; i < rings; ++i)
    for (let j = 0; j < around; ++j) {
      const [p, q] = [i * around + j, i * around + ((j + 1) % around)];
      triangles.push(p, p + around, q, q, p + around, q + around);
    }
  return { vertices, triangles };
}
function volume(vertices: ArrayLike<number>, triangles: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((x) => vertices[3 * triangles[i + k]! + x]!)) as [number[], number[], number[]];
    sum += a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) + a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) + a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
  }
  return sum / 6;
}

it("keeps the shape with far fewer triangles, none of them twice or without area", () => {
  const { vertices, triangles } = ball(200);
  const fewer = coarser({ vertices, triangles, places: [] }, 24);
  expect(fewer.triangles.length).toBeLessThan(triangles.length / 10);
  expect(volume(fewer.vertices, fewer.triangles)).toBeCloseTo((4 / 3) * Math.PI, 0);
  for (let i = 0; i < fewer.vertices.length; i += 3) expect(Math.hypot(...fewer.vertices.subarray(i, i + 3))).toBeGreaterThan(0.95);
  const names = new Set<string>();
  for (let i = 0; i < fewer.triangles.length; i += 3) {
    const corners = [...fewer.triangles.subarray(i, i + 3)];
    expect(new Set(corners).size).toBe(3);
    while (corners[0] !== Math.min(...corners)) corners.push(corners.shift()!);
    names.add(corners.join());
  }
  expect(names.size).toBe(fewer.triangles.length / 3);
});

it("keeps the places of an image on their side of a seam", () => {
  const { vertices, triangles } = ball(60);
  const places = Array.from({ length: vertices.length / 3 }, (_, v) => [(v % 120) / 120, Math.floor(v / 120) / 60]).flat();
  const fewer = coarser({ vertices, triangles, places }, 12);
  expect(fewer.places.length).toBe((2 * fewer.vertices.length) / 3);
  // A triangle covers no more of the image than some cells, but for those that closed it before.
  let wide = 0;
  for (let i = 0; i < fewer.triangles.length; i += 3) {
    const u = [0, 1, 2].map((k) => fewer.places[2 * fewer.triangles[i + k]!]!);
    if (Math.max(...u) - Math.min(...u) > 0.5) ++wide;
  }
  expect(wide).toBeLessThan(0.1 * fewer.triangles.length);
});
