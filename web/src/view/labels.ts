// Names of the nearest bodies and the force of the hand, as elements over the canvas.
import { Vector3, type PerspectiveCamera } from "three";
import type { Scene } from "../core/client";
import { withPrefix } from "./math";

const most = 60;

export class Labels {
  private readonly pool: HTMLSpanElement[] = [];
  private readonly point = new Vector3();
  private near: { body: number; depth: number }[] = [];

  constructor(private readonly host: HTMLElement) {}

  place(scene: Scene, frames: Float32Array, camera: PerspectiveCamera, width: number, height: number): void {
    this.near = [];
    for (let body = 1; body < scene.bodies.length && 12 * body + 11 < frames.length; ++body) {
      if (scene.bodies[body]!.is_gone) continue;
      this.point.fromArray(frames, 12 * body + 9).project(camera);
      if (Math.abs(this.point.x) < 1 && Math.abs(this.point.y) < 1 && this.point.z < 1) this.near.push({ body, depth: this.point.z });
    }
    this.near.sort((a, b) => a.depth - b.depth);
    this.near.length = Math.min(most, this.near.length);
    this.near.forEach(({ body }, i) => {
      const label = this.pool[i] ?? this.make();
      const name = scene.bodies[body]!.name || `body ${body}`;
      if (label.textContent !== name) label.textContent = name;
      this.point.fromArray(frames, 12 * body + 9).project(camera);
      const [x, y] = [((this.point.x + 1) / 2) * width, ((1 - this.point.y) / 2) * height];
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -140%)`;
      label.hidden = false;
    });
    for (let i = this.near.length; i < this.pool.length; ++i) this.pool[i]!.hidden = true;
  }

  // What the hand pulls with, beside where it is.
  tellForce(grab: ArrayLike<number>, camera: PerspectiveCamera, width: number, height: number): void {
    if (grab.length < 9) {
      if (this.force) this.force.hidden = true;
      return;
    }
    if (!this.force) {
      this.force = document.createElement("span");
      this.force.className = "view-label hand-force";
      this.host.append(this.force);
    }
    const newtons = Math.hypot(grab[6]!, grab[7]!, grab[8]!);
    this.force.textContent = withPrefix(Number(newtons.toPrecision(3)), "N");
    this.force.dataset["newtons"] = String(newtons);
    this.point.set(grab[3]!, grab[4]!, grab[5]!).project(camera);
    const [x, y] = [((this.point.x + 1) / 2) * width, ((1 - this.point.y) / 2) * height];
    this.force.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(14px, -130%)`;
    this.force.hidden = this.point.z >= 1;
  }
  private force: HTMLSpanElement | null = null;

  clear(): void {
    for (const label of this.pool) label.hidden = true;
  }

  private make(): HTMLSpanElement {
    const label = document.createElement("span");
    label.className = "view-label";
    this.pool.push(label);
    this.host.append(label);
    return label;
  }
}
