// What of a scene should be in the picture, and how large things in it are.
import { Vector3 } from "three";
import type { Scene } from "../core/client";
import { writePoint } from "./math";
import type { Part } from "./parts";
import { Kind } from "./pick";

export interface Bounds {
  low: Vector3;
  high: Vector3;
  radius: number; // m
  unit: number; // m, radius of a typical part
}

export function boundsOf(scene: Scene, parts: Part[], frames: Float32Array): Bounds {
  const low = new Vector3(...((scene.low.length === 3 ? scene.low : [-1, -1, -1]) as [number, number, number]));
  const high = new Vector3(...((scene.high.length === 3 ? scene.high : [1, 1, 1]) as [number, number, number]));
  const point = [0, 0, 0];
  const include = () => {
    low.min(new Vector3().fromArray(point));
    high.max(new Vector3().fromArray(point));
  };
  for (const link of scene.links) {
    if (link.is_gone) continue;
    writePoint(frames, 12 * (link.a ?? 0), link.at_a ?? [], point);
    include();
  }
  swing(scene, frames, low, high);
  const reaches = parts
    .filter((part) => part.kind !== Kind.plane && !(part.kind === Kind.surface && part.body === 0))
    .map((part) => part.reach)
    .sort((a, b) => a - b);
  let radius = low.distanceTo(high) / 2;
  const typical = reaches[Math.floor(reaches.length / 2)] ?? radius / 4;
  if (!(radius > 0)) radius = typical > 0 ? 4 * typical : 1;
  return { low, high, radius, unit: Math.min(radius / 3, Math.max(radius / 300, typical)) };
}

// What turns about a point of the ground will come round: the circle (ball) belongs to the picture, too.
function swing(scene: Scene, frames: Float32Array, low: Vector3, high: Vector3): void {
  const held = new Map<number, number>();
  for (const joint of scene.joints) for (const body of [joint.a ?? 0, joint.b ?? 0]) if (!joint.is_gone) held.set(body, (held.get(body) ?? 0) + 1);
  const pivot = [0, 0, 0];
  for (const joint of scene.joints) {
    const body = joint.a ? joint.a : (joint.b ?? 0);
    // Only what hangs on one joint, or is the first of a chain: cranks and loops stay about where they are.
    if (joint.is_gone || (joint.a && joint.b) || !["revolute", "spherical", "universal", "distance"].includes(joint.type ?? "")) continue;
    if ((held.get(body) ?? 0) > 1) continue;
    const at = joint.a ? joint.at_b : joint.at_a;
    writePoint(frames, 0, at ?? [], pivot);
    const reach = Math.hypot(...[0, 1, 2].map((k) => frames[12 * body + 9 + k]! - pivot[k]!));
    const axis = new Vector3().fromArray(joint.axis?.length === 3 ? joint.axis : [0, 0, 0]);
    for (let k = 0; k < 3; ++k) {
      const across = reach * Math.sqrt(Math.max(0, 1 - axis.getComponent(k) ** 2));
      low.setComponent(k, Math.min(low.getComponent(k), pivot[k]! - across));
      high.setComponent(k, Math.max(high.getComponent(k), pivot[k]! + across));
    }
  }
}
