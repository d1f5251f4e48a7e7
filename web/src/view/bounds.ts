// What of a scene should be in the picture, and how large things in it are.
import { Box3, Vector3 } from "three";
import type { Scene } from "../core/client";
import { earth } from "./finish";
import { holdsBodies } from "./joints";
import { writeDirection, writeMatrix, writePoint } from "./math";
import { writeBounds, type Part } from "./parts";
import { Kind } from "./pick";

export interface Bounds {
  low: Vector3;
  high: Vector3;
  radius: number; // m
  unit: number; // m, radius of a typical body
  isFlat: boolean; // all begins in the plane of x and z
  long: Set<number>; // bodies that go far beyond all else
  free: Set<number>; // bodies that no joint and no spring holds
  lowest: number; // m, where there was anything at first
  bodies: number; // that there were, the ground included
}

export function boundsOf(scene: Scene, parts: Part[], frames: Float32Array): Bounds {
  const low = new Vector3(...((scene.low.length === 3 ? scene.low : [-1, -1, -1]) as [number, number, number]));
  const high = new Vector3(...((scene.high.length === 3 ? scene.high : [1, 1, 1]) as [number, number, number]));
  parts = parts.filter((part) => !part.field?.isAway);
  const moving = parts.filter((part) => part.kind !== Kind.plane && part.body > 0);
  const largest = new Map<number, number>(); // of each body: many stand on tiny feet
  for (const part of moving) largest.set(part.body, Math.max(largest.get(part.body) ?? 0, part.reach));
  const reaches = [...largest.values()].sort((a, b) => a - b);
  const typical = reaches[Math.floor((reaches.length - 1) / 2)] ?? low.distanceTo(high) / 8;
  const isFlat = high.y - low.y < 0.02 * high.distanceTo(low);
  // A belt or a table that goes far beyond all else is not looked at as a whole.
  const most = 20 * typical;
  const long = new Set(moving.filter((part) => part.reach > most).map((part) => part.body));
  const short = moving.filter((part) => !long.has(part.body));
  const rest = short.length > 0 ? short : moving;
  if (rest.length < moving.length) {
    low.setScalar(Infinity);
    high.setScalar(-Infinity);
  }
  const include = (point: Vector3) => {
    low.min(point);
    high.max(point);
  };
  for (const part of rest) {
    const corners = cornersOf(part, frames);
    include(new Vector3().fromArray(corners));
    include(new Vector3().fromArray(corners, 3));
  }
  // What stands around it belongs to it: a frame, a stop.
  const around = 0.35 * low.distanceTo(high);
  const room = new Box3(low.clone(), high.clone()).expandByScalar(around);
  for (const part of parts) {
    if (part.body !== 0 || part.kind === Kind.plane) continue;
    const corners = cornersOf(part, frames);
    const box = new Box3(new Vector3().fromArray(corners), new Vector3().fromArray(corners, 3));
    if (!room.containsBox(box)) continue;
    include(box.min);
    include(box.max);
  }
  for (const link of scene.links) if (!link.is_gone) include(at(frames, link.a, link.at_a));
  for (const point of swing(scene, frames)) include(point);
  for (const point of below(parts, frames, low, high)) include(point);
  // One thing alone will go somewhere.
  if (scene.joints.length === 0 && scene.bodies.length <= 3) {
    const room = (parts.length > moving.length ? 0.25 : 0.6) * low.distanceTo(high);
    low.sub(new Vector3(room, room, 0));
    high.add(new Vector3(room, room, 0.3 * room));
  }
  let radius = low.distanceTo(high) / 2;
  if (!(radius > 0)) radius = typical > 0 ? 4 * typical : 1;
  const held = new Set([...scene.joints.filter(holdsBodies), ...scene.links].flatMap((thing) => [thing.a ?? 0, thing.b ?? 0]));
  const free = new Set(scene.bodies.map((_, body) => body).filter((body) => !held.has(body)));
  return { low, high, radius, unit: Math.min(radius / 3, Math.max(radius / 300, typical)), isFlat, long, free, lowest: low.z, bodies: scene.bodies.length };
}

// Takes in the bodies that have left the box, but none that went further than `most` from its middle at first, none that falls
// for ever, and none that somebody added: who puts something aside does not want the picture to jump. True if it grew.
export function widen(bounds: Bounds, scene: Scene, frames: Float32Array, middle: Vector3, most: number): boolean {
  const { low, high, unit } = bounds;
  const [point, margin] = [new Vector3(), new Vector3(unit, unit, unit)];
  let grew = false;
  for (let body = 1; body < Math.min(bounds.bodies, scene.bodies.length); ++body) {
    if (scene.bodies[body]!.is_gone || bounds.long.has(body)) continue;
    point.fromArray(frames, 12 * body + 9);
    const isInside = point.x >= low.x && point.y >= low.y && point.z >= low.z && point.x <= high.x && point.y <= high.y && point.z <= high.z;
    if (isInside || point.distanceTo(middle) > most || point.z < middle.z - 0.3 * most) continue;
    if (bounds.free.has(body) && point.z < bounds.lowest - 0.1 * bounds.radius) continue;
    high.max(point.clone().add(margin));
    low.min(point.sub(margin));
    grew = true;
  }
  return grew;
}

// m, below all terrain: a grid there does not cut it. What is solid may be cut, nobody sees it.
export function lowestOf(parts: Part[], frames: Float32Array, below: number): number {
  const terrain = parts.filter((part) => part.body === 0 && part.corners.length > 0 && part.finish === earth && !part.field?.isAway);
  return Math.min(below, ...terrain.map((part) => lowestPoint(part, frames)));
}
function lowestPoint(part: Part, frames: Float32Array): number {
  const matrix = new Float32Array(16);
  writeMatrix(frames, 12 * part.frame, part.local, 0, matrix, 0);
  let lowest = Infinity;
  const { corners } = part;
  for (let i = 0; i + 2 < corners.length; i += 3)
    lowest = Math.min(lowest, matrix[2]! * corners[i]! + matrix[6]! * corners[i + 1]! + matrix[10]! * corners[i + 2]! + matrix[14]!);
  return lowest;
}

function cornersOf(part: Part, frames: Float32Array): Float32Array {
  // Of a surface, its box, which may lie far from its frame.
  const side = (k: number) => (part.corners[21 + k] ?? 0) - (part.corners[k] ?? 0);
  const half = part.corners.length ? [0, 1, 2].map((k) => side(k) / 2) : part.size.map((s) => s / 2);
  const centre = part.corners.length ? [0, 1, 2].map((k) => (part.corners[k] ?? 0) + side(k) / 2) : [0, 0, 0];
  const matrix = new Float32Array(16);
  writeMatrix(frames, 12 * part.frame, part.local, 0, matrix, 0);
  const frame = [0, 1, 2, 3].flatMap((column) => [...matrix.subarray(4 * column, 4 * column + 3)]);
  const corners = new Float32Array(6);
  writeBounds(part, frame, half, centre, corners);
  return corners;
}

function at(frames: Float32Array, body: number | null | undefined, local: number[] | null | undefined): Vector3 {
  const out = [0, 0, 0];
  writePoint(frames, 12 * (body ?? 0), local ?? [], out);
  return new Vector3().fromArray(out);
}

// The places on planes that what is above may fall on, unless they are far away.
function below(parts: Part[], frames: Float32Array, low: Vector3, high: Vector3): Vector3[] {
  const middle = low.clone().add(high).multiplyScalar(0.5);
  const size = Math.max(low.distanceTo(high), 1e-9);
  const found: Vector3[] = [];
  for (const part of parts) {
    if (part.kind !== Kind.plane) continue;
    const origin = at(frames, part.body, [...part.local.subarray(9, 12)]);
    const up = [0, 0, 0];
    writeDirection(frames, 12 * part.frame, part.local.subarray(6, 9), up);
    const normal = new Vector3().fromArray(up);
    const above = middle.clone().sub(origin).dot(normal);
    if (above > 0 && above < 8 * size) found.push(middle.clone().addScaledVector(normal, -above));
  }
  return found;
}

interface Arm {
  to: number; // body
  here: Vector3;
  there: Vector3; // where the joint is on the other body
  axis: Vector3 | null;
}

// What hangs on one point of the ground swings below it as far as it is long; what is held by several turns about
// each of them, as far as its own next joints.
function swing(scene: Scene, frames: Float32Array): Vector3[] {
  const arms = new Map<number, Arm[]>();
  const anchors: Arm[] = [];
  const guided = new Set<number>(); // what slides on the ground does not turn, whatever else holds it
  for (const joint of scene.joints) {
    if (joint.is_gone || !holdsBodies(joint)) continue;
    const [a, b] = [joint.a ?? 0, joint.b ?? 0];
    const [pa, pb] = [at(frames, a, joint.at_a), at(frames, b, joint.at_b)];
    const out = [0, 0, 0];
    if (joint.axis?.length === 3) writeDirection(frames, 12 * a, joint.axis, out);
    const axis = joint.axis?.length === 3 ? new Vector3().fromArray(out) : null;
    const put = (from: number, arm: Arm) => (from === 0 ? anchors.push(arm) : arms.set(from, [...(arms.get(from) ?? []), arm]));
    const turns = ["revolute", "spherical", "universal", "distance"].includes(joint.type ?? "");
    if (a === 0 || b === 0) {
      if (joint.type === "prismatic" || joint.type === "fixed") guided.add(a === 0 ? b : a);
      if (turns) put(0, { to: a === 0 ? b : a, here: a === 0 ? pa : pb, there: a === 0 ? pb : pa, axis });
      continue;
    }
    put(a, { to: b, here: pa, there: pb, axis });
    put(b, { to: a, here: pb, there: pa, axis });
  }
  const down = new Vector3().fromArray(scene.gravity.length === 3 ? scene.gravity : [0, 0, 0]).normalize();
  const found: Vector3[] = [];
  for (const anchor of anchors) {
    if (guided.has(anchor.to)) continue;
    const { bodies, length, end, span } = reachFrom(anchor, arms, frames);
    const isAlone = anchors.filter((other) => bodies.has(other.to)).length === 1;
    const own = (arms.get(anchor.to) ?? []).map((arm) => arm.here.distanceTo(anchor.here));
    const isUpright = anchor.axis !== null && Math.abs(anchor.axis.dot(down)) > 0.7;
    const axis = anchor.axis ?? end.clone().sub(anchor.here).cross(down).normalize();
    if (axis.lengthSq() < 0.5) continue;
    // About an upright axis nothing falls.
    const reach = isUpright ? span : isAlone ? length : Math.max(anchor.here.distanceTo(anchor.there), ...own, 0);
    for (let k = 0; k < 3; ++k) {
      const unit = new Vector3().setComponent(k, 1);
      const across = reach * Math.sqrt(Math.max(0, 1 - axis.dot(unit) ** 2));
      for (const sign of [-1, 1]) {
        const isUp = sign * unit.dot(down) < -0.5;
        if (!(isAlone && isUp)) found.push(anchor.here.clone().addScaledVector(unit, sign * across));
      }
    }
  }
  return found;
}

interface Reach {
  bodies: Set<number>;
  length: number; // along the longest way from joint to joint
  end: Vector3; // of that way
  span: number; // to the farthest point of it, straight
}
function reachFrom(anchor: Arm, arms: Map<number, Arm[]>, frames: Float32Array): Reach {
  const bodies = new Set([anchor.to]);
  const open = [{ body: anchor.to, from: anchor.there, length: anchor.here.distanceTo(anchor.there) }];
  let length = 0;
  let end = anchor.there;
  let span = 0;
  for (let i = 0; i < open.length; ++i) {
    const { body, from, length: so } = open[i]!;
    const centre = at(frames, body, []);
    span = Math.max(span, anchor.here.distanceTo(centre));
    const far = so + centre.distanceTo(from);
    if (far > length) [length, end] = [far, centre];
    for (const arm of arms.get(body) ?? []) {
      const along = so + from.distanceTo(arm.here);
      if (along > length) [length, end] = [along, arm.here];
      if (bodies.has(arm.to)) continue;
      bodies.add(arm.to);
      open.push({ body: arm.to, from: arm.there, length: along + arm.here.distanceTo(arm.there) });
    }
  }
  return { bodies, length, end, span };
}
