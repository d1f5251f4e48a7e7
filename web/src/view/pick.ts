// What a ray hits. Shapes with a simple distance function are found by walking along the ray, each time as far as the
// distance allows: one loop for all of them, right also for tori, and fast enough for one ray a frame.
import type { Field } from "../core/ground";
import type { Numbers } from "./math";

export const enum Kind {
  sphere = 0,
  box = 1,
  capsule = 2,
  cylinder = 3,
  plane = 4,
  torus = 5,
  surface = 6,
  field = 7,
}

// How far a point of the shape's own frame is outside (negative: inside).
export function distanceTo(kind: Kind, size: Numbers, x: number, y: number, z: number): number {
  switch (kind) {
    case Kind.sphere:
      return Math.hypot(x, y, z) - size[0]!;
    case Kind.box: {
      const dx = Math.abs(x) - size[0]! / 2;
      const dy = Math.abs(y) - size[1]! / 2;
      const dz = Math.abs(z) - size[2]! / 2;
      const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0));
      return outside + Math.min(0, Math.max(dx, dy, dz));
    }
    case Kind.capsule:
      return Math.hypot(x, y, Math.max(0, Math.abs(z) - size[1]! / 2)) - size[0]!;
    case Kind.cylinder: {
      const dr = Math.hypot(x, y) - size[0]!;
      const dz = Math.abs(z) - size[1]! / 2;
      return Math.hypot(Math.max(dr, 0), Math.max(dz, 0)) + Math.min(0, Math.max(dr, dz));
    }
    case Kind.torus: {
      // The half ends in flat discs.
      if (size[2] && y < 0) return Math.hypot(y, Math.max(0, Math.hypot(Math.abs(x) - size[0]!, z) - size[1]!));
      const tube = Math.hypot(Math.hypot(x, y) - size[0]!, z) - size[1]!;
      return size[2] ? Math.max(tube, -y) : tube;
    }
    default:
      return Infinity;
  }
}

// Radius of a ball around the shape's origin that holds it.
export function reach(kind: Kind, size: Numbers): number {
  switch (kind) {
    case Kind.sphere:
      return size[0]!;
    case Kind.box:
      return Math.hypot(size[0]!, size[1]!, size[2]!) / 2;
    case Kind.capsule:
      return size[0]! + size[1]! / 2;
    case Kind.cylinder:
      return Math.hypot(size[0]!, size[1]! / 2);
    case Kind.torus:
      return size[0]! + size[1]!;
    default:
      return Infinity;
  }
}

// How far along the ray (from o, unit direction d, in the shape's frame) the shape begins; Infinity: nowhere.
// A ray that starts inside comes out on the other side.
export function hitShape(kind: Kind, size: Numbers, o: Numbers, d: Numbers): number {
  if (kind === Kind.plane) {
    const t = -o[2]! / d[2]!;
    return t > 0 && o[2]! > 0 ? t : Infinity;
  }
  const r = reach(kind, size);
  const middle = -(o[0]! * d[0]! + o[1]! * d[1]! + o[2]! * d[2]!);
  const past = o[0]! ** 2 + o[1]! ** 2 + o[2]! ** 2 - middle * middle; // squared distance of the line
  if (past > r * r) return Infinity;
  const half = Math.sqrt(r * r - past);
  if (middle + half < 0) return Infinity;
  // What is nearer than this counts as met. A ray at a slight angle s to a face comes nearer by 1 − s a step.
  const near = 1e-5 * r;
  let t = Math.max(0, middle - half);
  for (let i = 0; i < 2000 && t <= middle + half; ++i) {
    const gap = Math.abs(distanceTo(kind, size, o[0]! + t * d[0]!, o[1]! + t * d[1]!, o[2]! + t * d[2]!));
    if (gap < near) return t;
    t += gap;
  }
  return Infinity;
}

// Outward unit normal at a point of the shape, as the slope of the distance.
export function normalAt(kind: Kind, size: Numbers, p: Numbers): [number, number, number] {
  if (kind === Kind.plane) return [0, 0, 1];
  const h = 1e-4 * reach(kind, size);
  const [x, y, z] = [p[0]!, p[1]!, p[2]!];
  const n: [number, number, number] = [
    distanceTo(kind, size, x + h, y, z) - distanceTo(kind, size, x - h, y, z),
    distanceTo(kind, size, x, y + h, z) - distanceTo(kind, size, x, y - h, z),
    distanceTo(kind, size, x, y, z + h) - distanceTo(kind, size, x, y, z - h),
  ];
  const length = Math.hypot(...n) || 1;
  return [n[0] / length, n[1] / length, n[2] / length];
}

export interface TriangleHit {
  along: number;
  triangle: number; // first of its three indices
}

// The first triangle of a surface that the ray meets, from either side.
export function hitTriangles(vertices: Numbers, triangles: Numbers, o: Numbers, d: Numbers): TriangleHit | null {
  const [ox, oy, oz] = [o[0]!, o[1]!, o[2]!];
  const [dx, dy, dz] = [d[0]!, d[1]!, d[2]!];
  let along = Infinity;
  let triangle = -1;
  for (let i = 0; i + 2 < triangles.length; i += 3) {
    const a = 3 * triangles[i]!, b = 3 * triangles[i + 1]!, c = 3 * triangles[i + 2]!;
    const ax = vertices[a]!, ay = vertices[a + 1]!, az = vertices[a + 2]!;
    const ex = vertices[b]! - ax, ey = vertices[b + 1]! - ay, ez = vertices[b + 2]! - az;
    const fx = vertices[c]! - ax, fy = vertices[c + 1]! - ay, fz = vertices[c + 2]! - az;
    // The ray's point as a + u e + v f, by Cramer's rule.
    const px = dy * fz - dz * fy, py = dz * fx - dx * fz, pz = dx * fy - dy * fx;
    const det = ex * px + ey * py + ez * pz;
    if (det === 0) continue;
    const sx = ox - ax, sy = oy - ay, sz = oz - az;
    const u = (sx * px + sy * py + sz * pz) / det;
    if (u < 0 || u > 1) continue;
    const qx = sy * ez - sz * ey, qy = sz * ex - sx * ez, qz = sx * ey - sy * ex;
    const v = (dx * qx + dy * qy + dz * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const t = (fx * qx + fy * qy + fz * qz) / det;
    if (t > 0 && t < along) {
      along = t;
      triangle = i;
    }
  }
  return triangle < 0 ? null : { along, triangle };
}

// How far a ray passes from a segment, and where along the ray: for things that are drawn as lines.
export function passSegment(o: Numbers, d: Numbers, a: Numbers, b: Numbers): { gap: number; along: number } {
  const e = [b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!] as const;
  const s = [a[0]! - o[0]!, a[1]! - o[1]!, a[2]! - o[2]!] as const;
  const ee = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
  const de = d[0]! * e[0] + d[1]! * e[1] + d[2]! * e[2];
  const ds = d[0]! * s[0] + d[1]! * s[1] + d[2]! * s[2];
  const es = e[0] * s[0] + e[1] * s[1] + e[2] * s[2];
  const det = ee - de * de;
  // Parallel, or no longer than a point: any point of it is as near.
  let u = det > 1e-12 * ee ? (de * ds - es) / det : 0;
  u = Math.min(1, Math.max(0, u));
  // Where it is behind the ray, the ray's start is nearest.
  if (ds + u * de < 0 && ee > 0) u = Math.min(1, Math.max(0, -es / ee));
  const along = Math.max(0, ds + u * de);
  const gap = Math.hypot(s[0] + u * e[0] - along * d[0]!, s[1] + u * e[1] - along * d[1]!, s[2] + u * e[2] - along * d[2]!);
  return { gap, along };
}

// The first place where a ray meets a field's triangles from above or from below: along it, and the slope there. Walks from cell to
// cell by their narrower side, and looks at the triangles of the cell where it changes sides.
export function hitField(field: Pick<Field, "columns" | "rows" | "x" | "y" | "heights" | "low" | "high">, o: Numbers, d: Numbers): { along: number; normal: [number, number, number] } | null {
  const { columns, rows, x, y, low, high } = field;
  let [from, to] = [0, Infinity];
  const ends = [[x[0]!, x[columns - 1]!], [y[0]!, y[rows - 1]!], [low - 1e-6, high + 1e-6]] as const;
  for (let k = 0; k < 3; ++k) {
    const [first, last] = ends[k]!;
    if (d[k] === 0) {
      if (o[k]! < first || o[k]! > last) return null;
      continue;
    }
    const [a, b] = [(first - o[k]!) / d[k]!, (last - o[k]!) / d[k]!];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  if (!(from <= to) || to === Infinity) return null;
  const at = (t: number) => heightAt(field, o[0]! + t * d[0]!, o[1]! + t * d[1]!);
  const above = (t: number) => o[2]! + t * d[2]! - at(t).height;
  const flat = Math.hypot(d[0]!, d[1]!);
  const step = Math.min((to - from) / 2, flat > 0 ? (0.5 * Math.min(x[1]!, y[1]!)) / flat : Infinity) || 1;
  const begins = above(from) >= 0;
  for (let t = from; t < to; ) {
    const next = Math.min(to, t + step);
    if (above(next) >= 0 !== begins) {
      let [a, b] = [t, next];
      for (let i = 0; i < 40; ++i) {
        const middle = (a + b) / 2;
        if (above(middle) >= 0 === begins) a = middle;
        else b = middle;
      }
      const { sx, sy } = at(b);
      const length = Math.hypot(sx, sy, 1);
      return { along: b, normal: [-sx / length, -sy / length, 1 / length] };
    }
    if (next === to) break;
    t = next;
  }
  return null;
}

// Of the field's own triangles; beyond its ends as at them.
export function heightAt({ columns, rows, x, y, heights }: Pick<Field, "columns" | "rows" | "x" | "y" | "heights">, px: number, py: number): { height: number; sx: number; sy: number } {
  const c = Math.min(columns - 2, Math.max(0, Math.floor(px / x[1]!)));
  const r = Math.min(rows - 2, Math.max(0, Math.floor(py / y[1]!)));
  const [wide, deep] = [x[c + 1]! - x[c]!, y[r + 1]! - y[r]!];
  const u = Math.min(1, Math.max(0, (px - x[c]!) / wide));
  const v = Math.min(1, Math.max(0, (py - y[r]!) / deep));
  const h = (i: number, j: number) => heights[2 * ((r + j) * columns + c + i)]!;
  const [a, b] = [h(0, 0), h(1, 1)];
  const sx = u >= v ? h(1, 0) - a : b - h(0, 1);
  const sy = u >= v ? b - h(1, 0) : h(0, 1) - a;
  return { height: a + u * sx + v * sy, sx: sx / wide, sy: sy / deep };
}
