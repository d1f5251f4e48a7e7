// Geometries of unit size that instances stretch, and normals of triangle surfaces.
//
// Round things are shaded in quarters, so that one sees them turn.
import { BoxGeometry, BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, SphereGeometry, TorusGeometry } from "three";
import type { Numbers } from "./math";

const shade = 0.8;

// Corners that are the same in all ways become one vertex.
function indexed(geometry: BufferGeometry): BufferGeometry {
  const names = ["position", "normal", "color"];
  const from = names.map((name) => geometry.getAttribute(name).array as Float32Array);
  const known = new Map<string, number>();
  const kept: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < from[0]!.length; i += 3) {
    const key = from.map((a) => `${Math.round(1e5 * a[i]!)} ${Math.round(1e5 * a[i + 1]!)} ${Math.round(1e5 * a[i + 2]!)}`).join();
    let index = known.get(key);
    if (index === undefined) {
      index = kept.push(i) - 1;
      known.set(key, index);
    }
    indices.push(index);
  }
  const out = new BufferGeometry();
  names.forEach((name, k) => out.setAttribute(name, new BufferAttribute(new Float32Array(kept.flatMap((i) => [...from[k]!.subarray(i, i + 3)])), 3)));
  out.setIndex(indices);
  geometry.dispose();
  return out;
}

// One colour per triangle.
function shaded(geometry: BufferGeometry, isDark: (x: number, y: number, z: number) => boolean): BufferGeometry {
  const out = geometry.toNonIndexed();
  const p = out.getAttribute("position");
  const colours = new Float32Array(3 * p.count);
  for (let i = 0; i < p.count; i += 3) {
    const middle = (get: (j: number) => number) => (get(i) + get(i + 1) + get(i + 2)) / 3;
    const dark = isDark(middle((j) => p.getX(j)), middle((j) => p.getY(j)), middle((j) => p.getZ(j)));
    colours.fill(dark ? shade : 1, 3 * i, 3 * i + 9);
  }
  out.setAttribute("color", new BufferAttribute(colours, 3));
  geometry.dispose();
  return indexed(out);
}

export function unitSphere(around: number): BufferGeometry {
  const sphere = new SphereGeometry(1, around, around / 2).rotateX(Math.PI / 2);
  return shaded(sphere, (x, y, z) => x * y * z > 0);
}
export function unitBox(): BufferGeometry {
  return shaded(new BoxGeometry(1, 1, 1), () => false);
}
export function unitCylinder(around: number): BufferGeometry {
  const cylinder = new CylinderGeometry(1, 1, 1, around).rotateX(Math.PI / 2);
  return shaded(cylinder, (x, y) => x * y > 0);
}
// Around z, of radius 1; the half is closed by discs.
export function unitTorus(tube: number, isHalf: boolean, around: number): BufferGeometry {
  const sides = Math.max(8, Math.round(around / 3));
  if (!isHalf) return shaded(new TorusGeometry(1, tube, sides, around), (x, y) => x * y > 0);
  const arc = new TorusGeometry(1, tube, sides, around / 2, Math.PI).toNonIndexed();
  const positions = [...(arc.getAttribute("position").array as Float32Array)];
  const normals = [...(arc.getAttribute("normal").array as Float32Array)];
  for (const end of [-1, 1]) {
    for (let i = 0; i < sides; ++i) {
      const corner = (j: number) => [end + tube * Math.cos((2 * Math.PI * j) / sides), 0, tube * Math.sin((2 * Math.PI * j) / sides)];
      positions.push(end, 0, 0, ...corner(i), ...corner(i + 1));
      normals.push(0, -1, 0, 0, -1, 0, 0, -1, 0);
    }
  }
  arc.dispose();
  const out = new BufferGeometry();
  out.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  out.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  out.setAttribute("color", new BufferAttribute(new Float32Array(positions.length).fill(1), 3));
  return indexed(out);
}
// From the origin along z: the tips of arrows.
export function unitCone(): BufferGeometry {
  return new ConeGeometry(1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}
// From the origin along z: their shafts.
export function unitRod(): BufferGeometry {
  return new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

// For every vertex the first one at the same place.
function samePlaces(vertices: Numbers): Uint32Array {
  const count = vertices.length / 3;
  // Minus zero becomes zero.
  const bits = new Int32Array(Float32Array.from(vertices as ArrayLike<number>, (x) => x + 0).buffer);
  const size = 2 ** Math.ceil(Math.log2(2 * count + 2));
  const table = new Int32Array(size).fill(-1);
  const out = new Uint32Array(count);
  for (let v = 0; v < count; ++v) {
    const [a, b, c] = [bits[3 * v]!, bits[3 * v + 1]!, bits[3 * v + 2]!];
    let at = (Math.imul(a, 73856093) ^ Math.imul(b, 19349663) ^ Math.imul(c, 83492791)) >>> 0;
    at = (at ^ (at >>> 15)) & (size - 1);
    while (table[at]! >= 0) {
      const other = table[at]!;
      if (bits[3 * other] === a && bits[3 * other + 1] === b && bits[3 * other + 2] === c) break;
      at = (at + 1) & (size - 1);
    }
    if (table[at]! < 0) table[at] = v;
    out[v] = table[at]!;
  }
  return out;
}

// A normal for every corner of every triangle: the mean of those triangles around its vertex that lean away by
// less than the angle, so that edges stay sharp and curved sides are smooth.
export function creasedNormals(vertices: Numbers, triangles: Numbers, angle = 0.6): Float32Array {
  const faces = triangles.length / 3;
  const areas = new Float32Array(3 * faces); // normal times twice the area
  const units = new Float32Array(3 * faces);
  const placeOf = samePlaces(vertices);
  for (let f = 0; f < faces; ++f) {
    const [a, b, c] = [3 * triangles[3 * f]!, 3 * triangles[3 * f + 1]!, 3 * triangles[3 * f + 2]!];
    const [ex, ey, ez] = [vertices[b]! - vertices[a]!, vertices[b + 1]! - vertices[a + 1]!, vertices[b + 2]! - vertices[a + 2]!];
    const [gx, gy, gz] = [vertices[c]! - vertices[a]!, vertices[c + 1]! - vertices[a + 1]!, vertices[c + 2]! - vertices[a + 2]!];
    const [x, y, z] = [ey * gz - ez * gy, ez * gx - ex * gz, ex * gy - ey * gx];
    const length = Math.hypot(x, y, z) || 1;
    areas.set([x, y, z], 3 * f);
    units.set([x / length, y / length, z / length], 3 * f);
  }
  // Which triangles are around each place, one list after the other.
  const begin = new Uint32Array(vertices.length / 3 + 1);
  for (let i = 0; i < triangles.length; ++i) ++begin[placeOf[triangles[i]!]! + 1]!;
  for (let i = 1; i < begin.length; ++i) begin[i]! += begin[i - 1]!;
  const around = new Uint32Array(triangles.length);
  const next = begin.slice();
  for (let i = 0; i < triangles.length; ++i) around[next[placeOf[triangles[i]!]!]!++] = Math.floor(i / 3);
  const out = new Float32Array(3 * triangles.length);
  const least = Math.cos(angle);
  for (let i = 0; i < triangles.length; ++i) {
    const f = Math.floor(i / 3);
    let [x, y, z] = [0, 0, 0];
    const place = placeOf[triangles[i]!]!;
    for (let k = begin[place]!; k < begin[place + 1]!; ++k) {
      const g = around[k]!;
      const lean = units[3 * f]! * units[3 * g]! + units[3 * f + 1]! * units[3 * g + 1]! + units[3 * f + 2]! * units[3 * g + 2]!;
      if (lean < least) continue;
      x += areas[3 * g]!;
      y += areas[3 * g + 1]!;
      z += areas[3 * g + 2]!;
    }
    const length = Math.hypot(x, y, z) || 1;
    out[3 * i] = x / length;
    out[3 * i + 1] = y / length;
    out[3 * i + 2] = z / length;
  }
  return out;
}

export interface Triangles {
  vertices: Numbers; // x y z each
  triangles: Numbers; // three each
  places: Numbers; // of the vertices in images, u v each; or none
}

export function surfaceGeometry({ vertices, triangles, places }: Triangles): BufferGeometry {
  const positions = new Float32Array(3 * triangles.length);
  for (let i = 0; i < triangles.length; ++i)
    for (let k = 0; k < 3; ++k) positions[3 * i + k] = vertices[3 * triangles[i]! + k]!;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(creasedNormals(vertices, triangles), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(positions.length).fill(1), 3));
  if (places.length > 0) {
    const uv = new Float32Array(2 * triangles.length);
    for (let i = 0; i < triangles.length; ++i) for (let k = 0; k < 2; ++k) uv[2 * i + k] = places[2 * triangles[i]! + k] ?? 0;
    geometry.setAttribute("uv", new BufferAttribute(uv, 2));
  }
  return geometry;
}
