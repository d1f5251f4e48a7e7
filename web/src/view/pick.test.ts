import { describe, expect, it } from "vitest";
import { hitField, distanceTo, hitShape, hitTriangles, Kind, normalAt, passSegment, reach } from "./pick";

const shapes: [string, Kind, number[]][] = [
  ["sphere", Kind.sphere, [0.7]],
  ["box", Kind.box, [1, 0.4, 1.6]],
  ["capsule", Kind.capsule, [0.3, 1.1]],
  ["cylinder", Kind.cylinder, [0.5, 1.2]],
  ["torus", Kind.torus, [0.8, 0.2, 0]],
  ["half torus", Kind.torus, [0.8, 0.2, 1]],
];

// Inside or not, from the definition of the shape and not from its distance.
function isInside(kind: Kind, s: number[], x: number, y: number, z: number): boolean {
  switch (kind) {
    case Kind.sphere:
      return x * x + y * y + z * z < s[0]! ** 2;
    case Kind.box:
      return 2 * Math.abs(x) < s[0]! && 2 * Math.abs(y) < s[1]! && 2 * Math.abs(z) < s[2]!;
    case Kind.capsule: {
      const c = Math.max(-s[1]! / 2, Math.min(s[1]! / 2, z));
      return x * x + y * y + (z - c) ** 2 < s[0]! ** 2;
    }
    case Kind.cylinder:
      return x * x + y * y < s[0]! ** 2 && 2 * Math.abs(z) < s[1]!;
    default:
      return (Math.hypot(x, y) - s[0]!) ** 2 + z * z < s[1]! ** 2 && (!s[2] || y > 0);
  }
}

function numbers(seed: number): () => number {
  let s = seed;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 2 ** 31 - 1;
  };
}
function anyRay(next: () => number): { o: number[]; d: number[] } {
  const o = [3 * next(), 3 * next(), 3 * next()];
  const to = [0.9 * next(), 0.9 * next(), 0.9 * next()];
  const d = to.map((t, k) => t - o[k]!);
  const length = Math.hypot(...d);
  return { o, d: d.map((x) => x / length) };
}

describe.each(shapes)("a ray and a %s", (_, kind, size) => {
  it("meet where small steps first come inside", () => {
    const next = numbers(7);
    const step = 2e-3;
    let hits = 0;
    for (let i = 0; i < 300; ++i) {
      const { o, d } = anyRay(next);
      if (distanceTo(kind, size, o[0]!, o[1]!, o[2]!) < 0.01) continue;
      let first = Infinity;
      for (let t = 0; t < 8; t += step)
        if (isInside(kind, size, o[0]! + t * d[0]!, o[1]! + t * d[1]!, o[2]! + t * d[2]!)) {
          first = t;
          break;
        }
      const found = hitShape(kind, size, o, d);
      if (first < Infinity) {
        ++hits;
        // Not after the first step inside; before it only if the ray came within a hair.
        expect(found).toBeLessThanOrEqual(first + 1e-4);
        if (found < first - step - 1e-3) expect(isNear(kind, size, o, d, found)).toBe(true);
      } else if (found < Infinity) expect(isNear(kind, size, o, d, found)).toBe(true);
    }
    expect(hits).toBeGreaterThan(50);
  });

  it("has normals that point out", () => {
    const next = numbers(9);
    for (let i = 0; i < 100; ++i) {
      const { o, d } = anyRay(next);
      if (distanceTo(kind, size, o[0]!, o[1]!, o[2]!) < 0.01) continue;
      const t = hitShape(kind, size, o, d);
      if (t === Infinity) continue;
      const p = o.map((x, k) => x + t * d[k]!);
      const n = normalAt(kind, size, p);
      expect(Math.hypot(...n)).toBeCloseTo(1, 6);
      const out = p.map((x, k) => x + 1e-3 * n[k]!);
      expect(isInside(kind, size, out[0]!, out[1]!, out[2]!)).toBe(false);
    }
  });

  it("is inside its reach", () => {
    const next = numbers(11);
    for (let i = 0; i < 2000; ++i) {
      const p = [1.5 * next(), 1.5 * next(), 1.5 * next()] as const;
      if (isInside(kind, size, ...p)) expect(Math.hypot(...p)).toBeLessThanOrEqual(reach(kind, size));
    }
  });
});

function isNear(kind: Kind, size: number[], o: number[], d: number[], t: number): boolean {
  return Math.abs(distanceTo(kind, size, o[0]! + t * d[0]!, o[1]! + t * d[1]!, o[2]! + t * d[2]!)) < 1e-4;
}

describe("a ray and a plane", () => {
  it("meet from above only", () => {
    expect(hitShape(Kind.plane, [], [0, 0, 2], [0, 0.6, -0.8])).toBeCloseTo(2.5, 12);
    expect(hitShape(Kind.plane, [], [0, 0, -2], [0, 0, 1])).toBe(Infinity);
    expect(hitShape(Kind.plane, [], [0, 0, 2], [0, 0, 1])).toBe(Infinity);
    expect(hitShape(Kind.plane, [], [0, 0, 2], [1, 0, 0])).toBe(Infinity);
  });
});

describe("a ray and triangles", () => {
  // The faces of a cube of edge 2, two triangles each.
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]);
  const triangles = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];
  it("meet where the box is met", () => {
    const next = numbers(5);
    for (let i = 0; i < 200; ++i) {
      const o = [3 + next(), 3 * next(), 2.5 + next()];
      const to = [1.5 * next(), 1.5 * next(), 1.5 * next()];
      const length = Math.hypot(...to.map((t, k) => t - o[k]!));
      const d = to.map((t, k) => (t - o[k]!) / length);
      const box = hitShape(Kind.box, [2, 2, 2], o, d);
      const hit = hitTriangles(vertices, triangles, o, d);
      if (box === Infinity) expect(hit).toBeNull();
      else expect(hit?.along).toBeCloseTo(box, 3);
    }
  });
  it("that are degenerate are passed", () => {
    expect(hitTriangles([0, 0, 0, 1, 0, 0, 2, 0, 0], [0, 1, 2], [1, 0, 1], [0, 0, -1])).toBeNull();
  });
});

describe("a ray that passes a segment", () => {
  it("is as far away as the nearest of many points", () => {
    const next = numbers(3);
    for (let i = 0; i < 50; ++i) {
      const { o, d } = anyRay(next);
      const [a, b] = [[next(), next(), next()], [next(), next(), next()]];
      let least = Infinity;
      for (let u = 0; u <= 1; u += 1e-3) {
        const p = a.map((x, k) => x + u * (b[k]! - x));
        const along = Math.max(0, p.reduce((sum, x, k) => sum + (x - o[k]!) * d[k]!, 0));
        least = Math.min(least, Math.hypot(...p.map((x, k) => x - o[k]! - along * d[k]!)));
      }
      expect(passSegment(o, d, a, b).gap).toBeCloseTo(least, 2);
    }
  });
  it("takes a segment of no length as a point", () => {
    expect(passSegment([0, 0, 0], [1, 0, 0], [2, 3, 0], [2, 3, 0])).toEqual({ gap: 3, along: 2 });
  });
});

describe("A height field", () => {
  const spacing = 0.5;
  const [columns, rows] = [9, 7];
  const x = Float32Array.from({ length: columns }, (_, i) => spacing * i);
  const y = Float32Array.from({ length: rows }, (_, i) => 2 * spacing * i);
  const at = (c: number, r: number) => Math.sin(2.1 * c + 1.3 * r * r);
  const heights = Float32Array.from({ length: 2 * columns * rows }, (_, i) => (i % 2 ? 0 : at((i / 2) % columns, Math.floor(i / 2 / columns))));
  const field = { columns, rows, x, y, heights, low: -1, high: 1 };
  // The same as triangles.
  const vertices = Array.from({ length: columns * rows }, (_, i) => [x[i % columns]!, y[Math.floor(i / columns)]!, heights[2 * i]!]).flat();
  const triangles: number[] = [];
  for (let r = 0; r + 1 < rows; ++r)
    for (let c = 0; c + 1 < columns; ++c) {
      const i = r * columns + c;
      triangles.push(i, i + 1, i + columns + 1, i, i + columns + 1, i + columns);
    }

  it("is hit where its triangles are", () => {
    let [hits, differ] = [0, 0];
    for (let i = 0; i < 2000; ++i) {
      const random = (k: number) => ((Math.sin(12.9898 * (i + 1) + 78.233 * k) * 43758.5453) % 1) * 1;
      const o = [2 + 4 * random(1), 3 + 6 * random(2), 1.5 + Math.abs(random(3))];
      const to = [2 + 2 * random(4), 3 + 3 * random(5), 0.5 * random(6)];
      const length = Math.hypot(to[0]! - o[0]!, to[1]! - o[1]!, to[2]! - o[2]!);
      const d = to.map((t, k) => (t - o[k]!) / length);
      const [mine, theirs] = [hitField(field, o, d), hitTriangles(vertices, triangles, o, d)];
      if (theirs) ++hits;
      // Only rounding decides whether an edge at the border is touched.
      if (!mine !== !theirs || (mine && Math.abs(mine.along - theirs!.along) > 1e-4)) ++differ;
    }
    expect(hits).toBeGreaterThan(500);
    expect(differ).toBeLessThan(0.002 * hits);
  });

  it("is not hit beside it, or when the ray goes up", () => {
    expect(hitField(field, [1, 1, 3], [0, 0, 1])).toBeNull();
    expect(hitField(field, [-1, 1, 3], [0, 0, -1])).toBeNull();
    const straight = hitField(field, [0.5, 1, 3], [0, 0, -1])!;
    expect(straight.along).toBeCloseTo(3 - at(1, 1), 5);
    expect(Math.hypot(...straight.normal)).toBeCloseTo(1);
  });
});
