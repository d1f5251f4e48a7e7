// The camera: it looks at a target from a distance and two angles, in a base frame that is the world, goes with
// a body (track) or also turns with it (attached). Pure numbers; what it says is put into three's camera by the
// viewer.
import { PerspectiveCamera, Quaternion, Vector3 } from "three";
import type { Direction } from "./actions";

export const fieldOfView = 34; // degrees, upright
// Of a planar scene: from so far away that things look the same all over the picture, and yet a scene can be
// turned and seen in space.
export const planarFieldOfView = 4;
const tallness = (degrees: number) => Math.tan((degrees * Math.PI) / 360);
const steepest = Math.PI / 2 - 1e-3;
const up = new Vector3(0, 0, 1);

export interface Viewpoint {
  target: Vector3;
  yaw: number; // of the eye seen from the target, from x towards y
  pitch: number; // above the horizon
  distance: number;
}

// What a direction of view is as angles. Looking down, x is to the right.
export function anglesOf(looking: Vector3): { yaw: number; pitch: number } {
  const level = Math.hypot(looking.x, looking.y);
  if (level < 1e-6) return { yaw: -Math.PI / 2, pitch: looking.z < 0 ? steepest : -steepest };
  return { yaw: Math.atan2(-looking.y, -looking.x), pitch: Math.atan2(-looking.z, level) };
}

const angles: Record<Direction, [number, number]> = {
  front: [-Math.PI / 2, 0],
  back: [Math.PI / 2, 0],
  left: [Math.PI, 0],
  right: [0, 0],
  top: [-Math.PI / 2, steepest],
  aslant: [-Math.PI / 3, 0.42],
};
export function anglesFrom(direction: Direction): { yaw: number; pitch: number } {
  const [yaw, pitch] = angles[direction];
  return { yaw, pitch };
}

export function outward(yaw: number, pitch: number, out: Vector3): Vector3 {
  return out.set(Math.cos(pitch) * Math.cos(yaw), Math.cos(pitch) * Math.sin(yaw), Math.sin(pitch));
}

// Where in the picture there is room: its size and its middle (to the right of that of the picture, and above it), in
// heights of the picture.
export interface Room {
  width: number;
  height: number;
  right: number;
  above: number;
}

// The least distance from which all corners of a box around the target are where there is room.
export function distanceToFit(half: Vector3, yaw: number, pitch: number, room: Room, field = fieldOfView): number {
  const e = outward(yaw, pitch, new Vector3());
  const right = new Vector3().crossVectors(up, e).normalize();
  const above = new Vector3().crossVectors(e, right);
  const tall = tallness(field);
  let distance = 0;
  for (let i = 0; i < 8; ++i) {
    const corner = new Vector3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    const near = corner.dot(e);
    distance = Math.max(distance, near + Math.abs(corner.dot(above)) / (tall * room.height), near + Math.abs(corner.dot(right)) / (tall * room.width));
  }
  return distance;
}

// What to look at from there, so that something is seen in the middle of the room.
export function targetFor(middle: Vector3, yaw: number, pitch: number, distance: number, room: Room, field = fieldOfView): Vector3 {
  const e = outward(yaw, pitch, new Vector3());
  const right = new Vector3().crossVectors(up, e).normalize();
  const above = new Vector3().crossVectors(e, right);
  const span = 2 * tallness(field) * distance;
  return middle.clone().addScaledVector(right, -room.right * span).addScaledVector(above, -room.above * span);
}

export class Orbit {
  private readonly now: Viewpoint = { target: new Vector3(), yaw: -1, pitch: 0.4, distance: 5 };
  readonly goal: Viewpoint = { target: new Vector3(), yaw: -1, pitch: 0.4, distance: 5 };
  readonly basePosition = new Vector3();
  readonly baseRotation = new Quaternion();
  private field = fieldOfView;
  private least = 1e-3;
  private most = 1e4;
  private readonly offset = new Vector3();
  private readonly side = new Vector3();
  private readonly over = new Vector3();

  limit(radius: number, field = fieldOfView): void {
    this.field = field;
    this.least = (0.02 * radius) / this.nearness;
    this.most = (60 * radius) / this.nearness;
  }
  // With the usual field of view the picture would be the same from this share of the distance.
  private get nearness(): number {
    return tallness(this.field) / tallness(fieldOfView);
  }

  get target(): Vector3 {
    return this.now.target;
  }
  // From where the usual field of view shows as much.
  get distance(): number {
    return this.now.distance * this.nearness;
  }
  // How much farther away it is than that.
  get farther(): number {
    return this.now.distance * (1 - this.nearness);
  }
  get fieldOfView(): number {
    return this.field;
  }

  turn(yaw: number, pitch: number): void {
    this.goal.yaw -= yaw;
    this.goal.pitch = Math.max(-steepest, Math.min(steepest, this.goal.pitch + pitch));
  }

  // In shares of the picture's height.
  pan(x: number, y: number): void {
    const span = 2 * tallness(this.field) * this.goal.distance;
    outward(this.goal.yaw, this.goal.pitch, this.offset);
    this.side.crossVectors(up, this.offset).normalize();
    this.over.crossVectors(this.offset, this.side);
    this.goal.target.addScaledVector(this.side, -x * span).addScaledVector(this.over, y * span);
  }

  // Nearer by a factor, towards a point of the picture (−1 … 1, or the middle): what is there stays there.
  zoom(factor: number, x = 0, y = 0, aspect = 1): void {
    const before = this.goal.distance;
    this.goal.distance = Math.min(this.most, Math.max(this.least, before / factor));
    const share = (1 - this.goal.distance / before) / 2;
    const distance = this.goal.distance;
    this.goal.distance = before;
    this.pan(-x * aspect * share, y * share);
    this.goal.distance = distance;
  }

  look(viewpoint: Partial<Viewpoint>): void {
    if (viewpoint.target) this.goal.target.copy(viewpoint.target);
    if (viewpoint.distance !== undefined) this.goal.distance = viewpoint.distance;
    if (viewpoint.pitch !== undefined) this.goal.pitch = viewpoint.pitch;
    if (viewpoint.yaw !== undefined) {
      // The shorter way round.
      const around = 2 * Math.PI;
      this.goal.yaw = viewpoint.yaw + around * Math.round((this.now.yaw - viewpoint.yaw) / around);
    }
  }
  jump(): void {
    this.now.target.copy(this.goal.target);
    this.now.yaw = this.goal.yaw;
    this.now.pitch = this.goal.pitch;
    this.now.distance = this.goal.distance;
  }

  // From now on relative to this frame; the picture stays.
  rebase(position: Vector3, rotation: Quaternion): void {
    for (const v of [this.now, this.goal]) {
      v.target.applyQuaternion(this.baseRotation).add(this.basePosition);
      outward(v.yaw, v.pitch, this.offset).applyQuaternion(this.baseRotation);
      this.side.copy(v.target).sub(position).applyQuaternion(rotation.clone().invert());
      v.target.copy(this.side);
      this.offset.applyQuaternion(rotation.clone().invert());
      v.pitch = Math.asin(Math.max(-1, Math.min(1, this.offset.z)));
      v.yaw = Math.atan2(this.offset.y, this.offset.x);
    }
    this.basePosition.copy(position);
    this.baseRotation.copy(rotation);
  }

  // Moves towards the goal; false once it is there.
  settle(seconds: number): boolean {
    const share = 1 - Math.exp(-18 * seconds);
    const { now, goal } = this;
    const tiny = 1e-4;
    const gap =
      Math.abs(goal.yaw - now.yaw) + Math.abs(goal.pitch - now.pitch) + Math.abs(Math.log(goal.distance / now.distance)) +
      goal.target.distanceTo(now.target) / now.distance;
    if (gap === 0) return false;
    if (gap < tiny) {
      this.jump();
      return true;
    }
    now.yaw += share * (goal.yaw - now.yaw);
    now.pitch += share * (goal.pitch - now.pitch);
    now.distance *= Math.pow(goal.distance / now.distance, share);
    now.target.lerp(goal.target, share);
    return true;
  }

  // World coordinates of what is looked at.
  worldTarget(out: Vector3): Vector3 {
    return out.copy(this.now.target).applyQuaternion(this.baseRotation).add(this.basePosition);
  }

  apply(camera: PerspectiveCamera, radius: number): void {
    const { now } = this;
    outward(now.yaw, now.pitch, this.offset);
    this.worldTarget(this.side);
    camera.up.copy(up).applyQuaternion(this.baseRotation);
    camera.position.copy(this.offset).applyQuaternion(this.baseRotation).multiplyScalar(now.distance).add(this.side);
    camera.lookAt(this.side);
    camera.fov = this.field;
    // Four to five digits of depth: what is nearer than a hundredth of the distance is cut off.
    camera.near = Math.max(0.01 * now.distance, 1e-4 * radius);
    camera.far = now.distance * 20 + 60 * radius;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }
}
