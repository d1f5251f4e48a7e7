// Mouse, pen and fingers in the view: the camera, hovering and selecting, the hand, and what tools make.
import { Vector3 } from "three";
import type { Scene } from "../core/client";
import { order } from "../core/session";
import * as store from "../core/store";
import type { AddBody } from "../core/messages";
import { asHigh, isPairing, isShape, newBody, newBodyInPlane, newSpring, usualDensity, type Shape, type Vec } from "./making";
import { pointIn } from "./math";
import type { Orbit } from "./orbit";
import { pick, rayThrough, type Hit, type Ray } from "./picker";
import type { Part } from "./parts";
import type { PerspectiveCamera } from "three";

// What the pointer needs to know of the viewer.
export interface World {
  canvas: HTMLCanvasElement;
  camera: PerspectiveCamera;
  orbit: Orbit;
  parts: Part[];
  frames: Float32Array;
  unit: number; // m, radius of a typical body
  preview: Float32Array | null; // a line that is being drawn
  ghost: AddBody | null; // what a click would add
  wake(): void;
}

interface End {
  body: number;
  point: Vector3;
  normal: Vector3;
}

const clickRange = 4; // px
const moveInterval = 1000 / 60; // ms
const holdTime = 350; // ms that a finger rests on a body to take hold of it
const fingerRange = 10; // px that a finger rests within

export class Pointer {
  private readonly down = new Map<number, { x: number; y: number; button: number }>();
  private travelled = 0; // px since the first went down
  private hover: { x: number; y: number } | null = null;
  private hand: { plane: Vector3; at: Vector3; pointer: number } | null = null;
  private lastMove = 0;
  private moveTimer: ReturnType<typeof setTimeout> | undefined;
  private first: End | null = null; // of a spring or joint
  private readonly ending = new AbortController();

  constructor(private readonly world: World) {
    const { canvas } = world;
    const options = { signal: this.ending.signal };
    const on = <K extends keyof HTMLElementEventMap>(name: K, handle: (e: HTMLElementEventMap[K]) => void) =>
      canvas.addEventListener(name, handle, options);
    on("pointerdown", (e) => this.press(e));
    on("pointermove", (e) => this.move(e));
    on("pointerup", (e) => this.lift(e, true));
    on("pointercancel", (e) => this.lift(e, false));
    on("lostpointercapture", (e) => this.lift(e, false));
    on("pointerleave", () => this.leave());
    on("dblclick", (e) => this.focus(e));
    on("contextmenu", (e) => e.preventDefault());
    canvas.addEventListener("wheel", (e) => this.wheel(e), { ...options, passive: false });
    window.addEventListener("blur", () => this.release(), options);
    window.addEventListener("keydown", (e) => e.key === "Escape" && this.cancel(), options);
    this.ending.signal.addEventListener("abort", store.tool.subscribe(() => this.cancel()));
    this.ending.signal.addEventListener("abort", store.canSteer.subscribe((can) => !can && this.drop()));
  }

  dispose(): void {
    this.release();
    this.ending.abort();
  }

  // Once a drawn frame at most.
  look(): void {
    if (!this.hover) return;
    const { x, y } = this.hover;
    this.hover = null;
    const found = this.under(x, y);
    const before = store.hovered.value;
    const now = found.selection;
    if (before?.kind !== now?.kind || before?.index !== now?.index) store.hovered.value = now;
    this.world.canvas.style.cursor = this.cursor(now !== null);
    const tool = store.tool.value;
    this.world.ghost = isShape(tool) && store.canSteer.value ? this.planned(tool, this.meant(found.hit, found.ray), found.ray) : null;
    if (this.first) {
      const to = this.meant(found.hit, found.ray)?.point ?? this.onPlane(found.ray, this.first.point);
      this.world.preview = new Float32Array([...this.first.point.toArray(), ...this.levelled(to).toArray()]);
    }
  }

  private cursor(isOverSomething: boolean): string {
    const tool = store.tool.value;
    if (tool === "select") return isOverSomething ? "pointer" : "default";
    if (tool === "grab") return isOverSomething ? "grab" : "default";
    return "crosshair";
  }

  under(x: number, y: number): { selection: store.Selection | null; hit: Hit | null; ray: Ray } {
    const { camera, parts, frames, canvas } = this.world;
    const ray = rayThrough(camera, (2 * x) / canvas.clientWidth - 1, 1 - (2 * y) / canvas.clientHeight);
    const scene = store.scene.value;
    if (!scene || frames.length === 0) return { selection: null, hit: null, ray };
    const perPixel = (2 * Math.tan((camera.fov * Math.PI) / 360)) / canvas.clientHeight;
    return { ...pick(scene, parts, frames, ray, store.layers.value.joints, perPixel), ray };
  }

  // The normal of a planar scene, in whose plane everything is held, added and drawn.
  private normal(): Vector3 | null {
    const scene = store.scene.value;
    return scene?.is_planar && scene.look_along.length === 3 ? new Vector3().fromArray(scene.look_along) : null;
  }
  // As high above the plane as what the camera looks at; anywhere, if the scene is not planar.
  private levelled(point: Vector3): Vector3 {
    const normal = this.normal();
    if (!normal) return point;
    const target = this.world.orbit.worldTarget(new Vector3());
    return new Vector3().fromArray(asHigh(point.toArray(), target.toArray(), normal.toArray()));
  }

  private press(e: PointerEvent): void {
    const { canvas } = this.world;
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(e.pointerId);
    if (this.down.size === 0) this.travelled = 0;
    this.down.set(e.pointerId, { x: e.offsetX, y: e.offsetY, button: e.button });
    const isHolding = e.button === 0 && (store.tool.value === "grab" || (store.tool.value === "select" && (e.ctrlKey || e.shiftKey)));
    clearTimeout(this.holding);
    if (this.down.size > 1) this.release(); // two fingers are for the camera
    else if (isHolding) this.grab(e);
    else if (e.pointerType === "touch" && store.tool.value === "select" && store.canSteer.value)
      this.holding = setTimeout(() => this.travelled <= fingerRange && this.down.has(e.pointerId) && this.grab(e), holdTime);
  }
  private holding: ReturnType<typeof setTimeout> | undefined;

  private grab(e: { offsetX: number; offsetY: number; pointerId: number }): void {
    const { hit } = this.under(e.offsetX, e.offsetY);
    if (!hit || hit.body === 0) return;
    if (!store.canSteer.value) {
      store.notify("Only the operator of a running scene can hold bodies.", "info");
      return;
    }
    const { camera, frames } = this.world;
    this.hand = { plane: this.normal() ?? camera.getWorldDirection(new Vector3()), at: hit.point, pointer: e.pointerId };
    store.selection.value = { kind: "body", index: hit.body };
    this.lastMove = performance.now();
    const at = pointIn(frames, 12 * hit.body, hit.point.toArray());
    void order({ grab: { body: hit.body, at, to: hit.point.toArray() } }).then((reply) => {
      if (!reply) this.drop();
    });
  }

  private move(e: PointerEvent): void {
    const before = this.down.get(e.pointerId);
    this.world.wake();
    if (!before) {
      if (e.pointerType !== "touch") this.hover = { x: e.offsetX, y: e.offsetY };
      return;
    }
    const [dx, dy] = [e.offsetX - before.x, e.offsetY - before.y];
    this.travelled += Math.hypot(dx, dy);
    const { orbit, canvas } = this.world;
    if (this.hand) {
      if (e.pointerId === this.hand.pointer) this.pull(e);
    } else if (this.down.size >= 2) {
      this.pinch(e, before);
    } else if (this.travelled > (e.pointerType === "touch" ? fingerRange : clickRange)) {
      // A planar scene is moved; who wants to see it from the side turns it with the other button.
      if ((before.button === 0 && !e.altKey) !== (this.normal() !== null)) orbit.turn((dx * 2.6) / canvas.clientHeight, (dy * 2.6) / canvas.clientHeight);
      else orbit.pan(dx / canvas.clientHeight, dy / canvas.clientHeight);
    }
    before.x = e.offsetX;
    before.y = e.offsetY;
  }

  // Two fingers: their middle pans, their distance zooms.
  private pinch(e: PointerEvent, before: { x: number; y: number }): void {
    const other = [...this.down].find(([id]) => id !== e.pointerId)?.[1];
    if (!other) return;
    const { orbit, canvas } = this.world;
    const was = Math.hypot(before.x - other.x, before.y - other.y) || 1;
    const is = Math.hypot(e.offsetX - other.x, e.offsetY - other.y) || 1;
    orbit.pan((e.offsetX - before.x) / 2 / canvas.clientHeight, (e.offsetY - before.y) / 2 / canvas.clientHeight);
    const [x, y] = [(e.offsetX + other.x) / 2, (e.offsetY + other.y) / 2];
    orbit.zoom(is / was, (2 * x) / canvas.clientWidth - 1, 1 - (2 * y) / canvas.clientHeight, this.world.camera.aspect);
  }

  // The hand goes on the plane through where it took hold that faces the camera.
  private pull(e: PointerEvent): void {
    const { camera, canvas } = this.world;
    const { hand } = this;
    if (!hand) return;
    const ray = rayThrough(camera, (2 * e.offsetX) / canvas.clientWidth - 1, 1 - (2 * e.offsetY) / canvas.clientHeight);
    const along = hand.at.clone().sub(ray.origin).dot(hand.plane) / ray.direction.dot(hand.plane);
    hand.at = ray.origin.clone().addScaledVector(ray.direction, along);
    clearTimeout(this.moveTimer);
    const wait = this.lastMove + moveInterval - performance.now();
    if (wait <= 0) this.sendMove();
    else this.moveTimer = setTimeout(() => this.sendMove(), wait);
  }
  private sendMove(): void {
    if (!this.hand) return;
    this.lastMove = performance.now();
    void order({ move: { to: this.hand.at.toArray() } }).then((reply) => {
      if (!reply) this.drop();
    });
  }

  private drop(): void {
    clearTimeout(this.moveTimer);
    this.hand = null;
  }
  private release(): void {
    if (!this.hand) return;
    clearTimeout(this.moveTimer);
    this.sendMove();
    this.drop();
    void order({ release: {} });
  }

  private lift(e: PointerEvent, isClick: boolean): void {
    const before = this.down.get(e.pointerId);
    if (!before) return;
    this.down.delete(e.pointerId);
    clearTimeout(this.holding);
    const wasHand = this.hand?.pointer === e.pointerId;
    if (wasHand) this.release();
    else if (isClick && before.button === 0 && this.travelled <= (e.pointerType === "touch" ? fingerRange : clickRange) && this.down.size === 0) this.click(e.offsetX, e.offsetY);
  }

  private leave(): void {
    this.hover = null;
    this.world.ghost = null;
    this.world.wake();
    if (store.hovered.value) store.hovered.value = null;
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const { canvas, camera, orbit } = this.world;
    const lines = e.deltaMode === 1 ? 30 : e.deltaMode === 2 ? 300 : 1;
    const factor = Math.exp(-Math.max(-300, Math.min(300, e.deltaY * lines)) * 0.0016);
    orbit.zoom(factor, (2 * e.offsetX) / canvas.clientWidth - 1, 1 - (2 * e.offsetY) / canvas.clientHeight, camera.aspect);
    this.world.wake();
  }

  private focus(e: MouseEvent): void {
    if (store.tool.value !== "select") return;
    const { hit } = this.under(e.offsetX, e.offsetY);
    if (!hit || store.camera.value.kind !== "free") return;
    this.world.orbit.look({ target: hit.point });
    this.world.wake();
  }

  private click(x: number, y: number): void {
    const tool = store.tool.value;
    const { selection, hit: seen, ray } = this.under(x, y);
    if (tool === "select" || tool === "grab") {
      store.selection.value = selection;
      return;
    }
    const hit = this.meant(seen, ray);
    if (!store.canSteer.value) {
      store.notify("Only the operator of a running scene can add to it.", "info");
      return;
    }
    const scene = store.scene.value!; // canSteer
    if (isShape(tool)) void order({ add_body: this.planned(tool, hit, ray) });
    else if (isPairing(tool)) this.pair(tool, scene, hit, ray);
  }

  // What a click there adds.
  private planned(tool: Shape, hit: Hit | null, ray: Ray): AddBody {
    const { camera, orbit, parts, unit } = this.world;
    const at = hit?.point ?? this.onPlane(ray, orbit.worldTarget(new Vector3()));
    const density = usualDensity(store.scene.value!, parts);
    const plane = this.normal();
    if (plane) {
      const on = hit ? (hit.normal.toArray() as Vec) : null;
      return newBodyInPlane(tool, unit, density, store.making.value, this.levelled(at).toArray() as Vec, on, plane.toArray() as Vec);
    }
    const normal = hit?.normal ?? camera.getWorldDirection(new Vector3()).negate();
    return newBody(tool, unit, density, store.making.value, at.toArray() as Vec, normal.toArray() as Vec);
  }

  private pair(tool: "spring" | "revolute" | "fixed" | "spherical", scene: Scene, hit: Hit | null, ray: Ray): void {
    const point = this.levelled(hit?.point ?? this.onPlane(ray, this.first?.point ?? this.world.orbit.worldTarget(new Vector3())));
    const end = { body: hit?.body ?? 0, point, normal: hit?.normal ?? ray.direction.clone().negate() };
    if (!this.first) {
      this.first = end;
      this.world.preview = new Float32Array([...point.toArray(), ...point.toArray()]);
      this.world.wake();
      return;
    }
    const { first } = this;
    this.cancel();
    if (first.body === end.body) {
      store.notify("It needs two bodies, or a body and the ground: click on another one.", "info");
      return;
    }
    const { frames } = this.world;
    const [a, b] = [first.body, end.body];
    if (tool === "spring") {
      const inBody = (e: End) => pointIn(frames, 12 * e.body, e.point.toArray());
      void order({ add_spring: newSpring(scene, a, inBody(first), b, inBody(end)) });
      return;
    }
    // On the body, where the other one is the ground. It turns out of the picture where all moves in it.
    const on = b === 0 ? first : end;
    const axis = scene.look_along.length === 3 ? [...scene.look_along] : on.normal.toArray();
    void order({ add_joint: { type: tool, a, b, at: on.point.toArray(), axis } });
  }

  // How far along the ray the plane through a point is: that of a planar scene, or the one that faces the camera.
  private toPlane(ray: Ray, through: Vector3): number {
    const facing = this.normal() ?? this.world.camera.getWorldDirection(new Vector3());
    return through.clone().sub(ray.origin).dot(facing) / ray.direction.dot(facing);
  }
  private onPlane(ray: Ray, through: Vector3): Vector3 {
    return ray.origin.clone().addScaledVector(ray.direction, this.toPlane(ray, through));
  }
  // What one points at to add something there. A planar scene is seen a little from above: ground behind its plane fills the
  // picture up to the horizon, and who clicks there means a place in the plane, not one far away on the ground.
  private meant(hit: Hit | null, ray: Ray): Hit | null {
    if (!hit || hit.body !== 0 || !this.normal()) return hit;
    const along = this.toPlane(ray, this.world.orbit.worldTarget(new Vector3()));
    return along > 0 && along < hit.along ? null : hit;
  }

  private cancel(): void {
    this.first = null;
    this.world.preview = null;
    this.world.ghost = null;
    this.world.wake();
  }
}
