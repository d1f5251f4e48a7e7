// Levels of detail. Round things have fewer corners the smaller they are on the screen. Surfaces of many triangles are made
// coarser by moving all vertices of a cell of a grid to one place; triangles that are left without area go.
import type { Triangles } from "./shapes";

// The level for something of this radius on the screen, px: the first whose least radius it has.
export function levelFor(pixels: number, least: readonly number[]): number {
  let level = 0;
  while (level < least.length - 1 && pixels < least[level]!) ++level;
  return level;
}

const imageCells = 16; // a side: vertices farther apart in an image stay apart, or it would be drawn across its seams

// With cells of the longest side / `cells`.
export function coarser({ vertices, triangles, places }: Triangles, cells: number): Triangles & { vertices: Float32Array; triangles: Uint32Array } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertices.length; ++i) {
    low[i % 3] = Math.min(low[i % 3]!, vertices[i]!);
    high[i % 3] = Math.max(high[i % 3]!, vertices[i]!);
  }
  const cell = Math.max(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!, 1e-30) / cells;
  const known = new Map<string | number, number>();
  const sums: number[] = []; // x y z, how many, u v
  const target = new Uint32Array(vertices.length / 3);
  for (let v = 0; v < target.length; ++v) {
    let key = 0;
    for (let k = 0; k < 3; ++k) key = key * (cells + 1) + Math.min(cells, Math.floor((vertices[3 * v + k]! - low[k]!) / cell));
    const [u = 0, w = 0] = [places[2 * v], places[2 * v + 1]];
    const name = places.length ? `${key} ${Math.floor(imageCells * u)} ${Math.floor(imageCells * w)}` : key;
    let at = known.get(name);
    if (at === undefined) {
      at = sums.length / 6;
      known.set(name, at);
      sums.push(0, 0, 0, 0, 0, 0);
    }
    target[v] = at;
    for (let k = 0; k < 3; ++k) sums[6 * at + k]! += vertices[3 * v + k]!;
    ++sums[6 * at + 3]!;
    sums[6 * at + 4]! += u;
    sums[6 * at + 5]! += w;
  }
  const count = sums.length / 6;
  const out = new Float32Array(3 * count);
  const outPlaces = new Float32Array(places.length ? 2 * count : 0);
  for (let at = 0; at < count; ++at) {
    for (let k = 0; k < 3; ++k) out[3 * at + k] = sums[6 * at + k]! / sums[6 * at + 3]!;
    if (places.length) for (let k = 0; k < 2; ++k) outPlaces[2 * at + k] = sums[6 * at + 4 + k]! / sums[6 * at + 3]!;
  }
  const kept: number[] = [];
  const seen = new Set<string>();
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    const [a, b, c] = [target[triangles[i]!]!, target[triangles[i + 1]!]!, target[triangles[i + 2]!]!];
    if (a === b || b === c || c === a) continue;
    // Many become the same one; turned so that the least corner is first, they have one name.
    const [x, y, z] = a < b && a < c ? [a, b, c] : b < c ? [b, c, a] : [c, a, b];
    const name = `${x} ${y} ${z}`;
    if (seen.has(name)) continue;
    seen.add(name);
    kept.push(a, b, c);
  }
  return { vertices: out, triangles: Uint32Array.from(kept), places: outPlaces };
}
