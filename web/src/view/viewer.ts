// The 3D view: takes the moment to draw, puts everything where it is, and draws, but only if something changed.
import { Box3, Quaternion, Vector3 } from "three";
import type { Scene, State } from "../core/client";
import { interpolatePoses, type Moment } from "../core/playout";
import { stateHandlers } from "../core/session";
import type { AddBody } from "../core/messages";
import * as store from "../core/store";
import { arrowScale, statistics, usualUnit, type Actions, type Direction } from "./actions";
import { boundsOf, lowestOf, widen, type Bounds } from "./bounds";
import { Boxes } from "./boxes";
import { Glyphs } from "./glyphs";
import { Ghost } from "./ghost";
import { Grains } from "./grains";
import { Ground } from "./ground";
import { Heaps } from "./heaps";
import { holdsBodies } from "./joints";
import { Labels } from "./labels";
import { LayerPainter } from "./layers";
import { writeFrames, writeMatrix } from "./math";
import { anglesFrom, anglesOf, distanceToFit, fieldOfView, Orbit, outward, planarFieldOfView, targetFor, type Room } from "./orbit";
import { palettes } from "./palette";
import { framesOf, Parts, partsOf, withEarth, writeAims, type Part } from "./parts";
import { Kind } from "./pick";
import { chosenQuality, qualities, qualityNow } from "./quality";
import { Pointer, type World } from "./pointer";
import { SharedVolumes } from "./volumes";
import { Springs } from "./springs";
import { Stage } from "./stage";
import { Terrain } from "./terrain";

const planarTilt = 0.1; // rad: a motion in a plane is seen nearly along its normal, the ground still as a surface
const flatView = { yaw: -1.4, pitch: 0.16 };

export class Viewer implements Actions, World {
  private readonly stage: Stage;
  private readonly shapes = new Parts(() => this.need("draw"));
  private readonly ground = new Ground();
  private readonly terrain = new Terrain();
  private readonly heaps = new Heaps();
  private readonly grains = new Grains();
  private readonly glyphs = new Glyphs();
  private readonly springs = new Springs();
  private readonly boxes = new Boxes();
  private readonly volumes = new SharedVolumes();
  private readonly labels: Labels;
  private readonly painter: LayerPainter;
  private readonly pointer: Pointer;
  private readonly resizing: ResizeObserver;
  private readonly ending: (() => void)[] = [];

  readonly orbit = new Orbit();
  parts: Part[] = [];
  frames = new Float32Array(0);
  preview: Float32Array | null = null;
  ghost: AddBody | null = null;
  private readonly ghosts = new Ghost();
  private ghostDrawn: AddBody | null = null;
  private poses = new Float32Array(0);
  private bounds: Bounds = { low: new Vector3(-1, -1, -1), high: new Vector3(1, 1, 1), radius: 1.7, unit: 0.3, isFlat: false, long: new Set(), free: new Set(), lowest: -1, bodies: 0 };
  private built: Scene | null = null;
  private visit = -1; // of the store
  private started: Box3 | null = null; // where the bodies were when it was opened
  private drawn: Moment | null = null; // what is on the screen
  private measured: State | null = null;

  private request = 0;
  private lastFrame = 0; // ms
  private needs = { draw: true, colours: true, dress: true, size: true, quality: true };
  private attachedFrom: Quaternion | null = null; // the body's orientation, turned back
  private isLost = false;
  private readonly point = new Vector3();
  private readonly turn = new Quaternion();

  private times: number[] = []; // ms of script of the frames of this second
  private secondFrom = 0;
  private video: { recorder: MediaRecorder; pieces: Blob[] } | null = null;


  // `direction`: of one beside the first, which stays as it is told.
  constructor(readonly canvas: HTMLCanvasElement, overlay: HTMLElement, private readonly direction?: Direction) {
    this.stage = new Stage(canvas);
    this.painter = new LayerPainter(this.glyphs, this.springs);
    this.labels = new Labels(overlay);
    this.stage.scene.add(this.shapes.group, this.glyphs.group, this.springs.mesh, this.boxes.lines, this.volumes.mesh, this.ghosts.group, this.terrain.group, this.heaps.group, this.grains.mesh);
    this.pointer = new Pointer(this);
    this.resizing = new ResizeObserver(() => this.need("size"));
    this.resizing.observe(canvas);
    this.listen();
    this.wake();
  }

  get camera() {
    return this.stage.camera;
  }
  get unit(): number {
    return this.bounds.unit;
  }

  private listen(): void {
    const see = () => this.wake();
    stateHandlers.add(see);
    this.ending.push(
      () => stateHandlers.delete(see),
      store.scene.subscribe(() => this.need("draw")),
      store.layers.subscribe(() => this.need("draw")),
      store.groundVersion.subscribe(() => this.need("draw")),
      store.theme.subscribe(() => this.need("dress")),
      chosenQuality.subscribe(() => this.need("quality")),
      store.selection.subscribe(() => this.need("colours")),
      store.hovered.subscribe(() => this.need("colours")),
      store.making.subscribe(() => (this.ghost = null)),
      store.camera.subscribe(() => {
        this.mount();
        this.need("draw");
      }),
    );
    const canvas = new AbortController();
    this.ending.push(() => canvas.abort());
    const on = (name: string, handle: (e: Event) => void) => this.canvas.addEventListener(name, handle, { signal: canvas.signal });
    on("webglcontextlost", (e) => {
      e.preventDefault();
      this.isLost = true;
      store.notify("The graphics card let go of the picture; it comes back by itself.", "info");
    });
    on("webglcontextrestored", () => {
      this.isLost = false;
      this.stage.makeEnvironment();
      this.needs = { draw: true, colours: true, dress: true, size: true, quality: true };
      this.wake();
    });
  }

  dispose(): void {
    cancelAnimationFrame(this.request);
    for (const end of this.ending) end();
    this.pointer.dispose();
    this.resizing.disconnect();
    this.shapes.clear();
    this.ground.clear();
    this.terrain.clear();
    this.heaps.clear();
    this.ghosts.clear();
    this.stage.dispose();
  }

  // ---- Frames ----------------------------------------------------------------------------------------

  private need(what: keyof Viewer["needs"]): void {
    this.needs[what] = true;
    this.wake();
  }
  // A page on which nothing happens asks for no frames.
  wake(): void {
    if (this.request === 0) this.request = requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    const began = performance.now();
    this.request = 0;
    if (this.isLost) return;
    const seconds = Math.min(0.1, (now - this.lastFrame) / 1000);
    this.lastFrame = now;

    const moment = store.playout.sample(began);
    const scene = store.scene.value;
    if (!scene && this.built) this.leave();
    if (scene && moment && scene !== this.built && moment.from.revision === scene.revision) this.build(scene, moment);
    const isNew = moment !== null && this.built !== null && moment.from.revision === this.built.revision && this.isNews(moment);
    if (isNew) this.pose(moment);
    if (isNew || this.needs.draw) this.stage.moved();

    this.pointer.look();
    const hasMoved = this.orbit.settle(seconds);
    if (isNew || hasMoved || this.preview || this.ghost !== this.ghostDrawn || Object.values(this.needs).some(Boolean)) {
      this.draw();
      this.count(began, now);
    }
    const latest = store.playout.latest;
    const isSettled = !moment || moment.to === latest && (moment.share >= 1 || moment.from === latest);
    if (hasMoved || !isSettled) this.wake();
  }

  // Repeated states of a scene at rest are not.
  private isNews(moment: Moment): boolean {
    const before = this.drawn;
    if (!before) return true;
    if (before.from === moment.from && before.to === moment.to && before.share === moment.share) return false;
    const a = before.share > 0 ? before.to : before.from;
    const b = moment.share > 0 ? moment.to : moment.from;
    const isSame =
      before.from.step === moment.from.step && a.step === b.step && moment.from.step === b.step && a.revision === b.revision &&
      a.reactions.length === b.reactions.length && a.contacts.length === b.contacts.length && a.grab.length === b.grab.length &&
      a.contours.length === b.contours.length && a.shared_volumes?.vertices?.length === b.shared_volumes?.vertices?.length &&
      a.grab.every((g, i) => g === b.grab[i]);
    return !isSame;
  }

  private pose(moment: Moment): void {
    interpolatePoses(moment, this.poses);
    writeFrames(this.poses, this.frames);
    writeAims(this.parts, this.frames);
    this.drawn = moment;
    this.isMoved = true;
    this.ground.place(this.frames);
    this.follow();
    this.keepInPicture();
  }

  private draw(): void {
    const { needs, stage } = this;
    const palette = palettes[store.theme.value];
    if (needs.quality) stage.refine(qualities[qualityNow()]!);
    if ((needs.size || needs.quality) && !stage.resize()) return;
    if (needs.dress) {
      stage.dress(palette);
      this.painter.dress(palette);
      this.volumes.dress(palette.volume);
      this.ghosts.dress(palette.accent);
      (this.boxes.lines.material as { color: { set(c: string): void } }).color.set(palette.box);
    }
    if (needs.dress || needs.colours) {
      const { selection, hovered } = store;
      const body = (s: store.Selection | null) => (s?.kind === "body" ? s.index : -1);
      this.shapes.colour(palette, body(selection.value), body(hovered.value), this.frames);
      this.terrain.colour(palette, body(hovered.value));
    }
    this.needs = { draw: false, colours: false, dress: false, size: false, quality: false };
    const { radius } = this.bounds;
    this.orbit.apply(stage.camera, radius);
    this.placeParts();
    this.orbit.worldTarget(this.point);
    stage.shade(this.point, this.orbit.distance, radius);
    const layers = store.layers.value;
    this.ground.look(palette, layers.grid, this.point, Math.max(14 * radius, 9 * this.orbit.distance), this.orbit.farther);
    this.paint(layers);
    this.ghosts.show(this.ghost);
    this.ghostDrawn = this.ghost;
    const { calls, triangles } = stage.render();
    this.calls = calls;
    this.triangles = triangles;
  }
  private calls = 0;
  private triangles = 0;

  private placeParts(): void {
    if (!this.built) return;
    const { x, y, z } = this.camera.position;
    const perPixel = (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, this.canvas.clientHeight);
    const eye = { x, y, z, perPixel, detail: qualities[qualityNow()]!.detail };
    this.shapes.place(this.frames, eye, this.isMoved);
    this.isMoved = false;
    const [isDug, isLaden] = [this.terrain.update(this.stage.renderer), this.heaps.update(store.grounds)];
    if (isDug || isLaden) this.stage.moved();
    if (isDug) {
      this.ground.sink(lowestOf(this.parts, this.frames, Infinity));
      this.ground.place(this.frames);
    }
    this.terrain.place(this.frames, eye);
    this.heaps.place(this.frames);
    if (this.drawn) this.grains.place(this.drawn.share > 0.5 ? this.drawn.to : this.drawn.from);
  }
  private isMoved = false; // the bodies, since they were placed

  private paint(layers: store.Layers): void {
    const scene = this.built;
    this.boxes.lines.visible = layers.boxes && scene !== null;
    this.volumes.mesh.visible = layers.volumes && scene !== null;
    if (!scene || !this.drawn) return;
    const state = this.drawn.share > 0.5 ? this.drawn.to : this.drawn.from;
    if (state !== this.measured && (layers.forces || layers.reactions)) {
      this.painter.measure(state, layers);
      this.measured = state;
    }
    this.tellScale(layers);
    const of = (kind: store.Selection["kind"]) => (store.selection.value?.kind === kind ? store.selection.value.index : -1);
    this.painter.paint(state, this.frames, layers, this.camera, this.canvas.clientHeight, { joint: of("joint"), link: of("link") }, this.preview);
    if (layers.boxes) this.boxes.place(this.frames);
    if (layers.volumes) this.volumes.place(state.shared_volumes);
    this.labels.tellForce(state.grab, this.camera, this.canvas.clientWidth, this.canvas.clientHeight);
    if (layers.names) this.labels.place(scene, this.frames, this.camera, this.canvas.clientWidth, this.canvas.clientHeight);
    else this.labels.clear();
  }

  private tellScale(layers: store.Layers): void {
    const length = this.painter.fullLength;
    const { forces, moments } = this.painter;
    const force = (layers.forces || layers.reactions) && forces.value > 0 ? forces.value : null;
    const moment = layers.reactions && moments.value > 0 ? moments.value : null;
    const before = arrowScale.value;
    if (before.length !== length || before.force !== force || before.moment !== moment) arrowScale.value = { length, force, moment };
  }

  private count(began: number, now: number): void {
    this.times.push(performance.now() - began);
    this.canvas.dataset["drawn"] ??= performance.now().toFixed(0); // ms since the address was opened
    if (now - this.secondFrom < 1000) return;
    if (this.direction) {
      this.times = [];
      return;
    }
    const sorted = this.times.sort((a, b) => a - b);
    const fps = (1000 * sorted.length) / Math.max(1000, now - this.secondFrom);
    statistics.value = { calls: this.calls, triangles: this.triangles, scripting: sorted[sorted.length >> 1] ?? 0, fps };
    this.times = [];
    this.secondFrom = now;
  }

  // ---- Scenes ----------------------------------------------------------------------------------------------

  private build(scene: Scene, moment: Moment): void {
    const isOther = this.built === null || this.visit !== store.visit.value;
    const isReadAgain = !isOther && scene.revision <= (this.built?.revision ?? 0);
    this.visit = store.visit.value;
    this.built = scene;
    this.parts = partsOf(scene, store.grounds.fields);
    this.poses = new Float32Array(7 * scene.bodies.length);
    this.frames = new Float32Array(12 * framesOf(scene, this.parts));
    interpolatePoses(moment, this.poses);
    writeFrames(this.poses, this.frames);
    writeAims(this.parts, this.frames);
    if (isOther || isReadAgain) this.takeBounds(scene);
    this.parts = this.parts.map((part) => withEarth(part, scene, this.bounds.radius));
    this.shapes.build(scene, this.parts, this.bounds.radius);
    this.terrain.build(this.parts, this.bounds.radius / 30);
    this.isMoved = true;
    const planes = this.parts.filter((part) => part.kind === Kind.plane);
    this.ground.build(this.stage.scene, planes, this.frames, this.bounds.low, this.bounds.high, lowestOf(this.parts, this.frames, this.bounds.low.z));
    this.boxes.take(this.parts);
    this.painter.take(scene, this.bounds);
    this.drawn = null;
    this.needs.colours = true;
    if (isOther) {
      this.mount();
      this.fit(this.direction ? anglesFrom(this.direction) : this.firstAngles(scene, planes));
      this.orbit.jump();
      this.started = this.crowd();
    }
  }
  private firstAngles(scene: Scene, planes: Part[]): { yaw: number; pitch: number } {
    if (scene.look_along.length === 3) return this.planarAngles(scene);
    const slope = this.slopeAngles(planes);
    if (slope) return slope;
    if (this.bounds.isFlat) return flatView;
    // What stands is seen from lower down than what lies, with the horizon behind it.
    const { low, high } = this.bounds;
    const tall = (high.z - low.z) / Math.max(1e-9, Math.hypot(high.x - low.x, high.y - low.y));
    return { yaw: anglesFrom("aslant").yaw, pitch: 0.42 - 0.2 * Math.min(1, tall / 0.6) };
  }
  private takeBounds(scene: Scene): void {
    this.bounds = boundsOf(scene, this.parts, this.frames);
    usualUnit.value = this.bounds.unit;
    this.middle.copy(this.bounds.low).add(this.bounds.high).multiplyScalar(0.5);
    this.orbit.limit(this.bounds.radius, scene.is_planar ? planarFieldOfView : fieldOfView);
  }
  // A slope without end is seen as one only from its side.
  private slopeAngles(planes: Part[]): { yaw: number; pitch: number } | null {
    for (const plane of planes) {
      const matrix = new Float32Array(16);
      writeMatrix(this.frames, 12 * plane.body, plane.local, 0, matrix, 0);
      const [x, y, z] = [matrix[8]!, matrix[9]!, matrix[10]!];
      if (z < 0.5 || z > 0.998) continue;
      // Down to the right.
      const { yaw, pitch } = anglesOf(new Vector3(-y, x, 0).normalize());
      return { yaw, pitch: pitch + 0.12 };
    }
    return null;
  }
  private planarAngles(scene: Scene): { yaw: number; pitch: number } {
    const { yaw, pitch } = anglesOf(new Vector3().fromArray(scene.look_along));
    return { yaw, pitch: Math.abs(pitch) < 0.5 ? pitch + planarTilt : pitch };
  }

  private leave(): void {
    this.built = null;
    this.drawn = null;
    this.parts = [];
    this.shapes.clear();
    this.ground.clear();
    this.terrain.clear();
    this.heaps.clear();
    this.grains.clear();
    this.glyphs.begin();
    this.glyphs.end();
    this.springs.begin();
    this.springs.end();
    this.labels.clear();
    this.needs.draw = true;
  }

  // ---- Camera ----------------------------------------------------------------------------------------------------

  private bodyPosition(body: number): Vector3 {
    return this.point.fromArray(this.frames, 12 * body + 9);
  }
  private bodyTurn(body: number): Quaternion {
    const p = 7 * body + 3;
    return this.turn.set(this.poses[p + 1]!, this.poses[p + 2]!, this.poses[p + 3]!, this.poses[p]!);
  }

  // The camera was put on another base; the picture does not jump.
  private mount(): void {
    const choice = store.camera.value;
    const isThere = choice.kind !== "free" && 12 * choice.body + 11 < this.frames.length;
    if (!isThere) {
      this.orbit.rebase(new Vector3(), new Quaternion());
      this.attachedFrom = null;
      return;
    }
    this.attachedFrom = choice.kind === "attached" ? this.bodyTurn(choice.body).clone().invert() : null;
    this.orbit.rebase(this.bodyPosition(choice.body), new Quaternion());
    this.orbit.look({ target: new Vector3() });
  }
  private follow(): void {
    const choice = store.camera.value;
    if (choice.kind === "free" || 12 * choice.body + 11 >= this.frames.length) return;
    this.orbit.basePosition.copy(this.bodyPosition(choice.body));
    if (this.attachedFrom) this.orbit.baseRotation.copy(this.bodyTurn(choice.body)).multiply(this.attachedFrom);
  }

  // Where the bodies are, those left out that go far beyond all else.
  private crowd(): Box3 {
    const box = new Box3();
    for (let body = 1; body < Math.min(this.bounds.bodies, this.built?.bodies.length ?? 0); ++body)
      if (!this.built!.bodies[body]!.is_gone && !this.bounds.long.has(body)) box.expandByPoint(this.bodyPosition(body));
    return box;
  }
  // What nothing holds to the ground and goes away together, a truck or a block on a slope, is gone along with.
  private goAlong(): boolean {
    const isHeld = (thing: { a?: number | null; b?: number | null; is_gone?: boolean | null }) => !thing.is_gone && (!thing.a || !thing.b);
    if (!this.built || !this.started || this.built.joints.some((j) => holdsBodies(j) && isHeld(j)) || this.built.links.some(isHeld)) return false;
    const now = this.crowd();
    const size = (box: Box3) => box.min.distanceTo(box.max);
    if (now.isEmpty() || size(now) > 1.5 * size(this.started) + this.bounds.unit) return false;
    const [there, first] = [now.getCenter(new Vector3()), this.started.getCenter(new Vector3())];
    // What they began beside, a floor they have come down to by now, counts less the further they went.
    const share = Math.max(0, 1 - there.distanceTo(first) / this.bounds.radius);
    const middle = there.clone().addScaledVector(this.middle.clone().sub(first), share);
    const isUnderWay = this.fitted.middle.distanceTo(this.middle) > 0;
    if (middle.distanceTo(this.fitted.middle) < (isUnderWay ? 0.01 : 0.1) * this.bounds.radius) return isUnderWay;
    const target = middle.clone().add(this.fitted.target).sub(this.fitted.middle);
    this.orbit.look({ target });
    this.fitted = { ...this.fitted, middle, target };
    return true;
  }

  // What panels and the hint leave of the picture.
  private room(): Room {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return { width: 1.5, height: 1, right: 0, above: 0 };
    const stage = this.canvas.closest(".stage");
    const [outer, own] = [(stage ?? this.canvas).getBoundingClientRect(), this.canvas.getBoundingClientRect()];
    const style = getComputedStyle(this.canvas);
    const covered = (name: string, gap: number) => Math.min(0.3 * width, Math.max(0, (parseFloat(style.getPropertyValue(name)) || 0) - gap));
    const [left, right] = [covered("--left", own.left - outer.left), covered("--right", outer.right - own.right)];
    const hint = stage?.querySelector(".try")?.getBoundingClientRect();
    const below = hint ? Math.min(0.3 * height, Math.max(0, own.bottom - hint.top)) : 0;
    return { width: (width - left - right) / height, height: 1 - below / height, right: (left - right) / 2 / height, above: below / 2 / height };
  }
  private fit(angles: { yaw: number; pitch: number }, around?: Vector3): void {
    const { low, high, radius } = this.bounds;
    const half = high.clone().sub(low).multiplyScalar(0.5);
    half.clampScalar(0.02 * radius, Infinity);
    const room = this.room();
    const { fieldOfView } = this.orbit;
    let distance = 1.08 * distanceToFit(half, angles.yaw, angles.pitch, room, fieldOfView);
    const isFree = store.camera.value.kind === "free";
    const middle = around ?? low.clone().add(high).multiplyScalar(0.5);
    const target = targetFor(middle, angles.yaw, angles.pitch, distance, room, fieldOfView);
    // What is looked at in a planar scene is in its plane, for there things are put: nearer or farther along the view.
    const along = this.built?.look_along.length === 3 ? new Vector3().fromArray(this.built.look_along) : null;
    const back = outward(angles.yaw, angles.pitch, new Vector3());
    if (along && Math.abs(back.dot(along)) > 0.1) {
      const way = middle.clone().sub(target).dot(along) / back.dot(along);
      target.addScaledVector(back, way);
      distance -= way;
    }
    this.orbit.look({ ...angles, distance, ...(isFree ? { target } : {}) });
    this.fitted = { distance, middle, target, room: JSON.stringify(room) };
  }
  // Until somebody zooms or pans.
  private get isOurs(): boolean {
    return this.orbit.goal.distance === this.fitted.distance && this.orbit.goal.target.equals(this.fitted.target);
  }
  // What leaves the picture makes it wider; what flies away is let go.
  private keepInPicture(): void {
    const { fitted, orbit } = this;
    const now = performance.now();
    // Who holds a body aims with the picture as it is.
    const isHeld = (this.drawn?.to.grab.length ?? 0) > 0;
    if (!this.built || !this.isOurs || isHeld || now - this.widened < 100) return;
    this.widened = now;
    const { yaw, pitch } = orbit.goal;
    if (fitted.room !== JSON.stringify(this.room())) this.fit({ yaw, pitch }, fitted.middle);
    if (this.goAlong()) return;
    if (widen(this.bounds, this.built, this.frames, this.middle, 5 * this.bounds.radius)) this.fit({ yaw, pitch });
  }
  private fitted = { distance: 0, middle: new Vector3(), target: new Vector3(), room: "" }; // what the last fit looked at
  private middle = new Vector3(); // of the scene as it began
  private widened = 0; // ms, when it was last looked after

  fitView(): void {
    if (this.built) this.takeBounds(this.built);
    this.fit({ yaw: this.orbit.goal.yaw, pitch: this.orbit.goal.pitch });
    this.wake();
  }
  lookFrom(direction: Direction): void {
    this.fit(anglesFrom(direction));
    this.wake();
  }
  nudgeCamera(yaw: number, pitch: number, zoom: number, panX: number, panY: number): void {
    this.orbit.turn(yaw, pitch);
    if (zoom > 0) this.orbit.zoom(zoom);
    this.orbit.pan(panX, panY);
    this.wake();
  }
  pickAtCenter(): store.Selection | null {
    return this.pointer.under(this.canvas.clientWidth / 2, this.canvas.clientHeight / 2).selection;
  }

  // ---- Pictures ------------------------------------------------------------------------------------------------------

  screenshot(): Promise<Blob> {
    this.needs.draw = true;
    this.draw();
    return new Promise((done, failed) => {
      this.canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture could not be made"))), "image/png");
    });
  }
  startVideo(): void {
    if (this.video) return;
    const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((t) => MediaRecorder.isTypeSupported(t));
    if (!type) throw new Error("this browser cannot record videos");
    const recorder = new MediaRecorder(this.canvas.captureStream(60), { mimeType: type, videoBitsPerSecond: 8e6 });
    const pieces: Blob[] = [];
    recorder.ondataavailable = (e) => pieces.push(e.data);
    recorder.start(1000);
    this.video = { recorder, pieces };
    this.need("draw"); // a stream without a frame would be empty
  }
  stopVideo(): Promise<Blob> {
    const { video } = this;
    this.video = null;
    if (!video) return Promise.reject(new Error("no video is being recorded"));
    return new Promise((done) => {
      video.recorder.onstop = () => {
        for (const track of video.recorder.stream.getTracks()) track.stop();
        done(new Blob(video.pieces, { type: "video/webm" }));
      };
      video.recorder.stop();
    });
  }
}
