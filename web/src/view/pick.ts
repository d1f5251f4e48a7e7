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

// The first place where a ray meets a field's triangles, from above or from below, and the normal there. From cell to cell: along the
// way over one of its triangles the height above it changes evenly.
type Grid = Pick<Field, "columns" | "rows" | "x" | "y" | "heights" | "low" | "high">;
export function hitField(field: Grid, o: Numbers, d: Numbers): { along: number; normal: [number, number, number] } | null {
  const { columns, rows, x, y, low, high } = field;
  let [from, to] = [0, Infinity];
  const slack = 1e-6 * (1 + high - low);
  const ends = [[x[0]!, x[columns - 1]!], [y[0]!, y[rows - 1]!], [low - slack, high + slack]] as const;
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
  if (!(from <= to)) return null;
  const cellOf = (place: number, spacing: number, count: number) => Math.min(count - 2, Math.max(0, Math.floor(place / spacing)));
  let c = cellOf(o[0]! + from * d[0]!, x[1]!, columns);
  let r = cellOf(o[1]! + from * d[1]!, y[1]!, rows);
  for (let t = from; c >= 0 && r >= 0 && c + 1 < columns && r + 1 < rows; ) {
    const outX = d[0]! > 0 ? (x[c + 1]! - o[0]!) / d[0]! : d[0]! < 0 ? (x[c]! - o[0]!) / d[0]! : Infinity;
    const outY = d[1]! > 0 ? (y[r + 1]! - o[1]!) / d[1]! : d[1]! < 0 ? (y[r]! - o[1]!) / d[1]! : Infinity;
    const next = Math.min(outX, outY, to);
    const hit = hitCell(field, c, r, o, d, t, next);
    if (hit) return hit;
    if (next >= to) return null;
    t = Math.max(t, next);
    if (outX <= outY) c += Math.sign(d[0]!);
    else r += Math.sign(d[1]!);
  }
  return null;
}

// Its lower right triangle and its upper left one, each on its side of the diagonal.
function hitCell(field: Grid, c: number, r: number, o: Numbers, d: Numbers, from: number, to: number): { along: number; normal: [number, number, number] } | null {
  const { columns, x, y, heights } = field;
  const [wide, deep] = [x[c + 1]! - x[c]!, y[r + 1]! - y[r]!];
  const h = (i: number, j: number) => heights[2 * ((r + j) * columns + c + i)]!;
  const [a, b] = [h(0, 0), h(1, 1)];
  const [u, du] = [(o[0]! - x[c]!) / wide, d[0]! / wide];
  const [v, dv] = [(o[1]! - y[r]!) / deep, d[1]! / deep];
  const diagonal = (v - u) / (du - dv); // where the ray is over it
  const parts = diagonal > from && diagonal < to ? [from, diagonal, to] : [from, to];
  for (let i = 0; i + 1 < parts.length; ++i) {
    const [t0, t1] = [parts[i]!, parts[i + 1]!];
    const middle = (t0 + t1) / 2;
    const isLower = u + middle * du >= v + middle * dv;
    const sx = isLower ? h(1, 0) - a : b - h(0, 1);
    const sy = isLower ? b - h(1, 0) : h(0, 1) - a;
    const above = (t: number) => o[2]! + t * d[2]! - a - (u + t * du) * sx - (v + t * dv) * sy;
    const [f0, f1] = [above(t0), above(t1)];
    if (f0 * f1 > 0 || (f0 === 0 && f1 === 0)) continue;
    const length = Math.hypot(sx / wide, sy / deep, 1);
    return { along: t0 + ((t1 - t0) * f0) / (f0 - f1), normal: [-sx / wide / length, -sy / deep / length, 1 / length] };
  }
  return null;
}
