// What is under a point of the picture.
import { Vector3, type PerspectiveCamera } from "three";
import type { Scene } from "../core/client";
import type { Selection } from "../core/store";
import { holdsBodies } from "./joints";
import { directionIn, pointIn, writeMatrix, writePoint } from "./math";
import type { Part } from "./parts";
import { hitField, hitShape, hitTriangles, Kind, normalAt, passSegment } from "./pick";

export interface Hit {
  body: number;
  point: Vector3; // world
  normal: Vector3; // world, towards the eye
  along: number; // m from the eye
}

export interface Ray {
  origin: Vector3;
  direction: Vector3;
}

export function rayThrough(camera: PerspectiveCamera, x: number, y: number): Ray {
  const origin = camera.position.clone();
  return { origin, direction: new Vector3(x, y, 0.5).unproject(camera).sub(origin).normalize() };
}

// A frame of 12 numbers from a rigid 4×4 matrix.
const matrix = new Float32Array(16);
const frame = new Float32Array(12);
function frameOf(part: Part, frames: Float32Array): Float32Array {
  writeMatrix(frames, 12 * part.frame, part.local, 0, matrix, 0);
  for (let c = 0; c < 4; ++c) for (let k = 0; k < 3; ++k) frame[3 * c + k] = matrix[4 * c + k]!;
  return frame;
}

// The first part along the ray.
export function pickPart(scene: Scene, parts: Part[], frames: Float32Array, ray: Ray): Hit | null {
  const o = ray.origin.toArray();
  const d = ray.direction.toArray();
  let best = Infinity;
  let part: Part | null = null;
  let normal: number[] = [0, 0, 1];
  for (const candidate of parts) {
    if (12 * candidate.frame + 11 >= frames.length || candidate.field?.isAway) continue;
    const place = frameOf(candidate, frames);
    if (candidate.reach < Infinity) {
      const [x, y, z] = [place[9]! - o[0], place[10]! - o[1], place[11]! - o[2]];
      const along = x * d[0] + y * d[1] + z * d[2];
      const past = x * x + y * y + z * z - along * along;
      if (past > candidate.reach ** 2 || along + candidate.reach < 0 || along - candidate.reach > best) continue;
    }
    const oo = pointIn(place, 0, o);
    const dd = directionIn(place, 0, d);
    let along = Infinity;
    let local: number[] = [0, 0, 1];
    if (candidate.kind === Kind.surface) {
      const surface = scene.surfaces[candidate.surface];
      const vertices = surface?.vertices ?? [];
      const triangles = surface?.triangles ?? [];
      const hit = hitTriangles(vertices, triangles, oo, dd);
      if (!hit) continue;
      along = hit.along;
      if (along < best) local = triangleNormal(vertices, triangles, hit.triangle);
    } else if (candidate.field) {
      const hit = hitField(candidate.field, oo, dd);
      if (!hit) continue;
      along = hit.along;
      local = hit.normal;
    } else {
      along = hitShape(candidate.kind, candidate.size, oo, dd);
      if (along < best) local = normalAt(candidate.kind, candidate.size, [0, 1, 2].map((k) => oo[k]! + along * dd[k]!));
    }
    if (along >= best) continue;
    best = along;
    part = candidate;
    const world = [0, 0, 0];
    for (let k = 0; k < 3; ++k) world[k] = place[k]! * local[0]! + place[3 + k]! * local[1]! + place[6 + k]! * local[2]!;
    normal = world;
  }
  if (!part) return null;
  const facing = new Vector3().fromArray(normal);
  if (facing.dot(ray.direction) > 0) facing.negate();
  return { body: part.body, point: ray.origin.clone().addScaledVector(ray.direction, best), normal: facing, along: best };
}

function triangleNormal(vertices: ArrayLike<number>, triangles: ArrayLike<number>, first: number): number[] {
  const corner = (k: number) => new Vector3().fromArray(vertices as number[], 3 * triangles[first + k]!);
  const a = corner(0);
  return corner(1).sub(a).cross(corner(2).sub(a)).normalize().toArray();
}

// Bodies, and joints and links where their drawing is as thick as `thickness` at that distance.
export function pick(
  scene: Scene, parts: Part[], frames: Float32Array, ray: Ray, areJointsShown: boolean, perMetre: number,
): { selection: Selection | null; hit: Hit | null } {
  const hit = pickPart(scene, parts, frames, ray);
  const o = ray.origin.toArray();
  const d = ray.direction.toArray();
  const a = [0, 0, 0];
  const b = [0, 0, 0];
  let selection: Selection | null = hit && hit.body > 0 ? { kind: "body", index: hit.body } : null;
  let best = hit?.along ?? Infinity;
  scene.links.forEach((link, index) => {
    if (link.is_gone) return;
    writePoint(frames, 12 * (link.a ?? 0), link.at_a ?? [], a);
    writePoint(frames, 12 * (link.b ?? 0), link.at_b ?? [], b);
    const { gap, along } = passSegment(o, d, a, b);
    if (gap < 9 * perMetre * along && along < best) {
      best = along;
      selection = { kind: "link", index };
    }
  });
  // Joints are drawn over the bodies; bars are drawn always.
  let nearest = Infinity;
  scene.joints.forEach((joint, index) => {
    const isBar = joint.type === "distance";
    if (joint.is_gone || !holdsBodies(joint) || (!areJointsShown && !isBar)) return;
    writePoint(frames, 12 * (joint.b ?? 0), joint.at_b ?? [], b);
    if (isBar) writePoint(frames, 12 * (joint.a ?? 0), joint.at_a ?? [], a);
    const { gap, along } = passSegment(o, d, isBar ? a : b, b);
    if (isBar && !areJointsShown && along > best) return;
    if (gap < 9 * perMetre * along && gap / along < nearest) {
      nearest = gap / along;
      selection = { kind: "joint", index };
    }
  });
  return { selection, hit };
}
