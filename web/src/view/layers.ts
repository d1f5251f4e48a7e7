// What is drawn of a moment besides the bodies: springs, bars, the hand, and the layers.
import { Color, type PerspectiveCamera } from "three";
import type { Scene, State } from "../core/client";
import type { Layers } from "../core/store";
import type { Glyphs } from "./glyphs";
import { holdsBodies } from "./joints";
import { ArrowScale, roundUp, writeDirection, writePoint, writeSideways } from "./math";
import type { Palette } from "./palette";
import type { Springs } from "./springs";

export interface Sizes {
  radius: number; // m, of the scene
  unit: number; // m, radius of a typical body
}

type Colours = Record<"contact" | "force" | "moment" | "normal" | "joint" | "hand" | "metal" | "accent", Color>;

export class LayerPainter {
  readonly forces = new ArrowScale();
  readonly moments = new ArrowScale();
  private magnitudes = new Float32Array(64);
  private readonly from = new Float32Array(3);
  private readonly to = new Float32Array(3);
  private readonly axis = new Float32Array(3);
  private readonly side = new Float32Array(3);
  private sides: Float32Array[] = []; // of every link, in the frame of a
  private readonly colours: Colours = {
    contact: new Color(), force: new Color(), moment: new Color(), normal: new Color(),
    joint: new Color(), hand: new Color(), metal: new Color(), accent: new Color(),
  };
  private scene: Scene | null = null;
  private sizes: Sizes = { radius: 1, unit: 1 };
  private eye = [0, 0, 0];
  private perPixel = 1; // m at a distance of 1 m

  constructor(
    private readonly glyphs: Glyphs,
    private readonly springs: Springs,
  ) {}

  take(scene: Scene, sizes: Sizes): void {
    this.scene = scene;
    this.sizes = sizes;
    this.sides = [];
    this.springs.reserve(scene.links.length);
  }

  dress(palette: Palette): void {
    for (const name of Object.keys(this.colours) as (keyof Colours)[]) this.colours[name].set(palette[name]);
  }

  // `selected`: a joint or a link that stands out, or -1.
  paint(state: State, frames: Float32Array, layers: Layers, camera: PerspectiveCamera, height: number, selected: { joint: number; link: number }, preview: Float32Array | null): void {
    const scene = this.scene;
    if (!scene) return;
    this.eye = [camera.position.x, camera.position.y, camera.position.z];
    this.perPixel = (2 * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(1, height);
    this.glyphs.begin();
    this.springs.begin();
    this.paintLinks(scene, state, frames, layers, selected.link);
    this.paintJoints(scene, frames, layers.joints, selected.joint);
    if (layers.contacts || layers.normals || layers.forces) this.paintContacts(state, layers);
    if (layers.contours) this.paintContours(state.contours);
    if (layers.reactions) this.paintReactions(scene, state, frames);
    this.paintHand(state.grab, layers.forces);
    if (preview) this.paintHand(preview, false);
    this.springs.end();
    this.glyphs.end();
  }

  // As large as so many pixels, but no larger than a share of the bodies.
  private sized(at: ArrayLike<number>, o: number, pixels: number, share: number): number {
    const away = Math.hypot(at[o]! - this.eye[0]!, at[o + 1]! - this.eye[1]!, at[o + 2]! - this.eye[2]!);
    return Math.min(pixels * this.perPixel * away, share * this.sizes.unit);
  }

  private paintLinks(scene: Scene, state: State, frames: Float32Array, layers: Layers, selected: number): void {
    scene.links.forEach((link, i) => {
      if (link.is_gone) return;
      const a = 12 * (link.a ?? 0);
      const b = 12 * (link.b ?? 0);
      writePoint(frames, a, link.at_a ?? [], this.from);
      writePoint(frames, b, link.at_b ?? [], this.to);
      const [dx, dy, dz] = [this.to[0]! - this.from[0]!, this.to[1]! - this.from[1]!, this.to[2]! - this.from[2]!];
      const length = Math.hypot(dx, dy, dz);
      if (length < 1e-6 * this.sizes.radius) return;
      if (!this.sides[i]) {
        writeSideways(dx, dy, dz, this.side);
        const local = new Float32Array(3);
        for (let k = 0; k < 3; ++k) local[k] = frames[a + 3 * k]! * this.side[0]! + frames[a + 3 * k + 1]! * this.side[1]! + frames[a + 3 * k + 2]! * this.side[2]!;
        this.sides[i] = local;
      }
      writeDirection(frames, a, this.sides[i]!, this.side);
      const radius = Math.min(0.2 * this.sizes.unit + 0.012 * this.sizes.radius, 0.12 * length + 0.01 * this.sizes.radius);
      this.springs.put(this.from, this.to, this.side, radius, Math.max(0.16 * radius, this.sized(this.from, 0, 0.8, 1)));
      if (i === selected) this.glyphs.rods.put(this.from, 0, dx, dy, dz, length, 0.1 * radius, this.colours.accent);
      const tension = state.tensions[i] ?? 0;
      if (layers.forces && tension !== 0) {
        // Both ends are pulled towards each other.
        const sign = Math.sign(tension);
        const long = this.arrowLength(Math.abs(tension), this.forces);
        const thick = this.sized(this.from, 0, 2.2, 0.12);
        this.glyphs.arrow(this.from, 0, sign * dx, sign * dy, sign * dz, long, thick, 1, this.colours.force);
        this.glyphs.arrow(this.to, 0, -sign * dx, -sign * dy, -sign * dz, long, thick, 1, this.colours.force);
      }
    });
  }

  private arrowLength(value: number, scale: ArrowScale): number {
    if (!(scale.value > 0)) return 0;
    return Math.min(2, value / scale.value) * this.fullLength;
  }

  private paintJoints(scene: Scene, frames: Float32Array, isShown: boolean, selected: number): void {
    scene.joints.forEach((joint, i) => {
      if (joint.is_gone || !holdsBodies(joint)) return;
      const a = 12 * (joint.a ?? 0);
      const b = 12 * (joint.b ?? 0);
      writePoint(frames, b, joint.at_b ?? [], this.to);
      if (joint.type === "distance") {
        writePoint(frames, a, joint.at_a ?? [], this.from);
        const [dx, dy, dz] = [this.to[0]! - this.from[0]!, this.to[1]! - this.from[1]!, this.to[2]! - this.from[2]!];
        const thickness = Math.min(0.1 * this.sizes.unit + 0.004 * this.sizes.radius, 0.012 * this.sizes.radius);
        const colour = i === selected ? this.colours.accent : this.colours.metal;
        this.glyphs.bars.put(this.from, 0, dx, dy, dz, Math.hypot(dx, dy, dz), thickness, colour);
      }
      if (!isShown && i !== selected) return;
      const colour = i === selected ? this.colours.accent : this.colours.joint;
      const size = this.sized(this.to, 0, i === selected ? 11 : 8, 0.5);
      const hasAxis = (joint.axis?.length ?? 0) >= 3;
      if (hasAxis) writeDirection(frames, a, joint.axis!, this.axis);
      this.paintJoint(joint.type ?? "", hasAxis, size, colour);
    });
  }

  // At `to`, with `axis`.
  private paintJoint(type: string, hasAxis: boolean, size: number, colour: Color): void {
    const { rods, balls, cubes, cones } = this.glyphs;
    const [x, y, z] = [this.axis[0]!, this.axis[1]!, this.axis[2]!];
    const centred = (dx: number, dy: number, dz: number, half: number, thickness: number) => {
      this.from[0] = this.to[0]! - half * dx;
      this.from[1] = this.to[1]! - half * dy;
      this.from[2] = this.to[2]! - half * dz;
      rods.put(this.from, 0, dx, dy, dz, 2 * half, thickness, colour);
    };
    const isFlat = type === "planar" || type === "point on plane";
    if (type === "fixed" || isFlat) {
      cubes.put(this.to, 0, x, y, hasAxis ? z : 1, (isFlat ? 0.12 : 0.6) * size, (isFlat ? 1.5 : 0.6) * size, colour);
    } else if (!hasAxis) {
      balls.put(this.to, 0, 0, 0, 1, 0.8 * size, 0.8 * size, colour);
    } else if (type === "universal") {
      writeSideways(x, y, z, this.side);
      const [u, v, w] = [this.side[0]!, this.side[1]!, this.side[2]!];
      centred(u, v, w, 1.4 * size, 0.3 * size);
      centred(y * w - z * v, z * u - x * w, x * v - y * u, 1.4 * size, 0.3 * size);
    } else if (type === "prismatic" || type === "point on line" || type === "cylindrical" || type === "screw") {
      centred(x, y, z, 2.2 * size, (type === "cylindrical" || type === "screw" ? 0.45 : 0.25) * size);
      for (const end of [-1, 1]) {
        for (let k = 0; k < 3; ++k) this.from[k] = this.to[k]! + end * 2.2 * size * this.axis[k]!;
        cones.put(this.from, 0, end * x, end * y, end * z, size, 0.7 * size, colour);
      }
    } else {
      centred(x, y, z, 1.3 * size, 0.6 * size);
    }
  }

  private paintContacts(state: State, layers: Layers): void {
    const c = state.contacts;
    for (let i = 0; i + 8 < c.length; i += 9) {
      // What acts on the ground is of less interest than what acts on the other.
      const sign = state.contact_bodies[(2 * i) / 9] === 0 ? -1 : 1;
      if (layers.contacts) {
        const size = this.sized(c, i, 3.5, 0.16);
        this.glyphs.points.put(c, i, 0, 0, 1, size, size, this.colours.contact);
      }
      if (layers.normals) {
        this.glyphs.arrow(c, i, sign * c[i + 3]!, sign * c[i + 4]!, sign * c[i + 5]!, this.sized(c, i, 28, 1.2), this.sized(c, i, 1.3, 0.06), 1, this.colours.normal);
      }
      if (layers.forces) {
        const [fx, fy, fz] = [sign * c[i + 6]!, sign * c[i + 7]!, sign * c[i + 8]!];
        const long = this.arrowLength(Math.hypot(fx, fy, fz), this.forces);
        this.glyphs.arrow(c, i, fx, fy, fz, long, this.sized(c, i, 2.2, 0.12), 1, this.colours.force);
      }
    }
  }

  private paintContours(c: ArrayLike<number>): void {
    for (let i = 0; i + 5 < c.length; i += 6) {
      const [dx, dy, dz] = [c[i + 3]! - c[i]!, c[i + 4]! - c[i + 1]!, c[i + 5]! - c[i + 2]!];
      this.glyphs.rods.put(c, i, dx, dy, dz, Math.hypot(dx, dy, dz), this.sized(c, i, 1.2, 0.06), this.colours.contact);
    }
  }

  private paintReactions(scene: Scene, state: State, frames: Float32Array): void {
    const r = state.reactions;
    scene.joints.forEach((joint, i) => {
      if (joint.is_gone || 6 * i + 5 >= r.length) return;
      writePoint(frames, 12 * (joint.b ?? 0), joint.at_b ?? [], this.to);
      const force = Math.hypot(r[6 * i]!, r[6 * i + 1]!, r[6 * i + 2]!);
      const moment = Math.hypot(r[6 * i + 3]!, r[6 * i + 4]!, r[6 * i + 5]!);
      const thick = this.sized(this.to, 0, 2.2, 0.12);
      this.glyphs.arrow(this.to, 0, r[6 * i]!, r[6 * i + 1]!, r[6 * i + 2]!, this.arrowLength(force, this.forces), thick, 1, this.colours.force);
      this.glyphs.arrow(this.to, 0, r[6 * i + 3]!, r[6 * i + 4]!, r[6 * i + 5]!, this.arrowLength(moment, this.moments), thick, 2, this.colours.moment);
    });
  }

  // A line from where something is held to where it is pulled.
  private paintHand(g: ArrayLike<number>, isForce: boolean): void {
    if (g.length < 6) return;
    const [dx, dy, dz] = [g[3]! - g[0]!, g[4]! - g[1]!, g[5]! - g[2]!];
    const size = this.sized(g, 0, 5, 0.3);
    const { rods, balls } = this.glyphs;
    rods.put(g, 0, dx, dy, dz, Math.hypot(dx, dy, dz), 0.35 * size, this.colours.hand);
    balls.put(g, 0, 0, 0, 1, size, size, this.colours.hand);
    balls.put(g, 3, 0, 0, 1, 0.7 * size, 0.7 * size, this.colours.hand);
    if (isForce) this.glyphs.cones.put(g, 3, dx, dy, dz, 3 * size, 1.4 * size, this.colours.hand);
  }

  // Looks at the magnitudes of a new state, before it is painted. Nothing to see: the scale stays.
  measure(state: State, layers: Layers): void {
    let count = 0;
    const see = (value: number) => {
      if (count === this.magnitudes.length) {
        const larger = new Float32Array(2 * count);
        larger.set(this.magnitudes);
        this.magnitudes = larger;
      }
      this.magnitudes[count++] = value;
    };
    if (layers.forces) {
      const c = state.contacts;
      for (let i = 0; i + 8 < c.length; i += 9) see(Math.hypot(c[i + 6]!, c[i + 7]!, c[i + 8]!));
      for (const tension of state.tensions) see(Math.abs(tension));
    }
    if (layers.reactions) for (let i = 0; i + 5 < state.reactions.length; i += 6) see(Math.hypot(state.reactions[i]!, state.reactions[i + 1]!, state.reactions[i + 2]!));
    this.forces.see(this.magnitudes, count);
    count = 0;
    if (layers.reactions) for (let i = 3; i + 2 < state.reactions.length; i += 6) see(Math.hypot(state.reactions[i]!, state.reactions[i + 1]!, state.reactions[i + 2]!));
    this.moments.see(this.magnitudes, count);
  }

  // m, of an arrow that stands for a scale's value.
  get fullLength(): number {
    return roundUp(0.25 * this.sizes.radius);
  }
}
