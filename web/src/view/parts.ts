// The bodies' shapes. All of a kind are one batch, whatever body they belong to; capsules are made of two
// balls and a cylinder, so they need none of their own.
import { Color, Group, MeshStandardMaterial, SRGBColorSpace } from "three";
import type { Scene } from "../core/client";
import type { Field } from "../core/ground";
import { Batch, type Eye, type Level, type Piece } from "./batch";
import { earth, finishes, glass, rim, setGrain, withLook } from "./finish";
import { coarser } from "./levels";
import { localFrame, writeAim, writeMatrix, writePoint, type Numbers } from "./math";
import { Paints } from "./paints";
import { bodyColour, type Palette } from "./palette";
import { Kind, reach } from "./pick";
import { surfaceGeometry, unitBox, unitCylinder, unitSphere, unitTorus } from "./shapes";

export interface Part {
  body: number;
  kind: Kind;
  size: number[];
  local: Float32Array; // rigid frame in the body
  surface: number;
  isSketch: boolean;
  color: number[]; // red, green, blue as on a screen; empty: its own
  finish: number;
  paint: number; // of the scene's; -1: its colour and finish say how it looks
  reach: number; // around the frame's origin
  corners: Numbers; // of the box around a surface, x y z each; else empty
  field: Field | null; // a height field as it is now
  frame: number; // which of the frames it is drawn in: its body's, or one of its own behind those of all bodies
  aim: Aim | null; // what has one of its own
}

// A frame whose z looks from a point of a body at one of another, and is `along` m towards it.
export interface Aim {
  body: number;
  from: number[];
  target: number;
  at: number[];
  along: number;
}

// `fields`: of the scene, as they are now.
export function partsOf(scene: Scene, fields: readonly Field[] = []): Part[] {
  const parts: Part[] = [];
  let frames = scene.bodies.length;
  const radius = Math.hypot(...[0, 1, 2].map((k) => (scene.high[k] ?? 0) - (scene.low[k] ?? 0))) / 2;
  for (const part of scene.parts) {
    const body = part.body ?? 0;
    if (scene.bodies[body]?.is_gone) continue;
    const kind = (part.kind ?? 0) as number as Kind;
    const size = [...(part.size ?? [])];
    // Sketched bars are as thin as one likes: they are drawn so that they can be seen.
    if (kind === Kind.capsule && part.is_sketch) size[0] = Math.max(size[0] ?? 0, Math.min(0.009 * radius, 0.06 * (size[1] ?? 0)));
    const surface = part.surface ?? 0;
    const vertices = kind === Kind.surface ? (scene.surfaces[surface]?.vertices ?? []) : [];
    const field = kind === Kind.field ? (fields[surface] ?? null) : null;
    if (kind === Kind.field && !field) continue;
    let far = kind === Kind.surface || field ? 0 : reach(kind, size);
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let i = 0; i + 2 < vertices.length; i += 3) {
      far = Math.max(far, Math.hypot(vertices[i]!, vertices[i + 1]!, vertices[i + 2]!));
      for (let k = 0; k < 3; ++k) {
        box[k] = Math.min(box[k]!, vertices[i + k]!);
        box[3 + k] = Math.max(box[3 + k]!, vertices[i + k]!);
      }
    }
    const corners = vertices.length ? Array.from({ length: 8 }, (_, i) => [box[i & 1 ? 3 : 0]!, box[i & 2 ? 4 : 1]!, box[i & 4 ? 5 : 2]!]).flat() : [];
    const pose = [...(part.pose ?? [])];
    let aim: Aim | null = null;
    if (part.aim_body != null && (part.aim_at ?? []).length === 3 && pose.length >= 7) {
      aim = { body, from: pose.slice(0, 3), target: part.aim_body, at: [...part.aim_at!], along: part.aim_along ?? 0 };
      pose.fill(0, 0, 3);
    }
    const local = localFrame(pose, [1, 1, 1]);
    parts.push({ field, frame: aim ? frames++ : body, aim, body, kind, size, local, surface, isSketch: part.is_sketch ?? false, color: [...(part.color ?? [])], finish: part.finish ?? 0, paint: part.paint ?? -1, reach: far, corners });
    follow(parts.at(-1)!);
  }
  return parts;
}

// A part goes with its field: where that is, and how far it reaches.
export function follow(part: Part): void {
  if (!part.field) return;
  const { x, y, low, high, position } = part.field;
  if (position) part.local.set(position, 9);
  const ends = [[x[0]!, x.at(-1)!], [y[0]!, y.at(-1)!], [low, high]] as const;
  for (let i = 0; i < 24; ++i) (part.corners as number[])[i] = ends[i % 3]![(Math.floor(i / 3) >> i % 3) & 1]!;
  part.reach = Math.hypot(x.at(-1)!, y.at(-1)!, low, high);
}

// The frames of what looks elsewhere, behind those of all bodies.
export function writeAims(parts: readonly Part[], frames: Float32Array): void {
  for (const { aim, frame } of parts) {
    if (!aim) continue;
    writePoint(frames, 12 * aim.body, aim.from, from);
    writePoint(frames, 12 * aim.target, aim.at, to);
    writeAim(from, to, aim.along, frames, 12 * frame);
  }
}
const [from, to] = [new Float32Array(3), new Float32Array(3)];

export const framesOf = (scene: Scene, parts: readonly Part[]): number => scene.bodies.length + parts.filter((part) => part.aim).length;

const isBareGround = (part: Part) => part.body === 0 && part.paint < 0 && part.finish === 0 && part.color.length === 0;

// Wide ground of which nothing is said is earth: triangles that nearly all look up.
export function withEarth(part: Part, scene: Scene, radius: number): Part {
  if (part.field) return isBareGround(part) && part.reach >= 0.7 * radius && part.local[8]! > 0.7 ? { ...part, finish: earth } : part;
  if (part.kind !== Kind.surface || !isBareGround(part) || part.reach < 0.7 * radius) return part;
  const { vertices = [], triangles = [] } = scene.surfaces[part.surface] ?? {};
  let [up, all] = [0, 0];
  const normal = [0, 0, 0];
  for (let i = 0; i + 2 < (triangles ?? []).length; i += 3) {
    const [a, b, c] = [3 * triangles![i]!, 3 * triangles![i + 1]!, 3 * triangles![i + 2]!];
    const e = (k: number) => vertices![b + k]! - vertices![a + k]!;
    const g = (k: number) => vertices![c + k]! - vertices![a + k]!;
    normal[0] = e(1) * g(2) - e(2) * g(1);
    normal[1] = e(2) * g(0) - e(0) * g(2);
    normal[2] = e(0) * g(1) - e(1) * g(0);
    all += Math.hypot(normal[0], normal[1], normal[2]);
    // In the world: the ground does not move.
    up += Math.max(0, part.local[2]! * normal[0] + part.local[5]! * normal[1] + part.local[8]! * normal[2]);
  }
  return up > 0.7 * all ? { ...part, finish: earth } : part;
}

// Least radii on the screen, px, of the levels, and the corners around that they have: a chord is within a pixel of its arc, up to a
// radius of 800 px.
const round = [{ least: 160, around: 64 }, { least: 40, around: 32 }, { least: 10, around: 16 }, { least: 0, around: 10 }];
// Of surfaces: cells a side, which are no larger than a pixel and a half.
const cells = [96, 40];
const manyTriangles = 3000;

export class Parts {
  readonly group = new Group();
  private batches: Batch[] = [];
  private readonly materials = {
    plain: withLook(new MeshStandardMaterial({ vertexColors: true }), false),
    patterned: withLook(new MeshStandardMaterial({ vertexColors: true }), true),
    glass: withLook(new MeshStandardMaterial({ vertexColors: true, transparent: true, opacity: 0.42, depthWrite: false }), false),
  };
  private readonly rims = { convex: rim(true), other: rim(false) };
  private readonly paints: Paints;

  // `changed`: something is to be drawn otherwise than before.
  constructor(changed: () => void) {
    this.paints = new Paints(changed);
  }

  // `size`: m, radius of the scene.
  build(scene: Scene, parts: Part[], size: number): void {
    this.clearBatches();
    this.paints.build(scene);
    setGrain(this.materials.patterned, size / 30);
    const pieces = new Map<string, Piece[]>();
    const put = (key: string, part: Part, pose: Float32Array, scale: [number, number, number], isPlain = false) => {
      const local = new Float32Array(12);
      const matrix = new Float32Array(16);
      // A plate without thickness would have no normals.
      const least = 0.004 * Math.max(...scale);
      const stretch = localFrame([0, 0, 0, 1, 0, 0, 0], scale.map((s) => Math.max(s, least)) as typeof scale);
      writeMatrix(pose, 0, stretch, 0, matrix, 0);
      for (let column = 0; column < 4; ++column) local.set(matrix.subarray(4 * column, 4 * column + 3), 3 * column);
      const name = `${key} ${part.paint >= 0 ? part.paint : part.finish === glass ? "glass" : finishes[part.finish]!.pattern ? "patterned" : "plain"}`;
      const list = pieces.get(name) ?? [];
      pieces.set(name, list);
      list.push({ body: part.body, frame: part.frame, local, reach: part.reach, isSketch: part.isSketch, isPlain, color: part.color, finish: part.finish, isPainted: part.paint >= 0 });
    };
    for (const part of parts) {
      const [r = 0, s = 0, t = 0] = part.size;
      if (part.kind === Kind.sphere) put("sphere", part, part.local, [r, r, r]);
      else if (part.kind === Kind.box) put("box", part, part.local, [r, s, t]);
      else if (part.kind === Kind.cylinder) put("cylinder", part, part.local, [r, r, s]);
      else if (part.kind === Kind.capsule) {
        put("cylinder", part, part.local, [r, r, s], true);
        for (const end of [-0.5, 0.5]) put("sphere", part, moved(part.local, end * s), [r, r, r], true);
      } else if (part.kind === Kind.torus) put(`torus ${(s / r).toFixed(4)} ${t ? 1 : 0}`, part, part.local, [r, r, r], t !== 0);
      else if (part.kind === Kind.surface) put(`surface ${part.surface}`, part, part.local, [1, 1, 1]);
    }
    for (const [key, list] of pieces) {
      const words = key.split(" ");
      const [kind, made] = [words[0]!, words.at(-1)!];
      const isConvex = kind !== "torus" && kind !== "surface";
      const material = list[0]!.isPainted ? this.paints.materials[Number(made)]! : this.materials[made as keyof Parts["materials"]];
      this.batches.push(new Batch(this.group, levelsOf(scene, key), material, list, isConvex, !material.transparent));
    }
  }

  place(frames: Float32Array, eye: Eye, isMoved: boolean): void {
    for (const batch of this.batches) batch.place(frames, eye, isMoved);
  }

  // The selected body has a rim, the one under the cursor is lighter.
  colour(palette: Palette, selected: number, hovered: number, frames: Float32Array): void {
    this.rims.convex.color.set(palette.accent);
    this.rims.other.color.set(palette.accent);
    const colour = new Color();
    const white = new Color("white");
    for (const batch of this.batches) {
      batch.pieces.forEach((piece, i) => {
        const [isHovered, isSelected] = [piece.body === hovered, piece.body === selected];
        const own = finishes[piece.finish]!.color;
        if (piece.isPainted) colour.setScalar(isHovered ? 1.35 : isSelected ? 1.15 : 1);
        else {
          if (piece.color.length === 3) colour.setRGB(piece.color[0]!, piece.color[1]!, piece.color[2]!, SRGBColorSpace);
          else if (own) colour.set(own);
          else bodyColour(piece.body, piece.isSketch, palette, colour);
          if (isHovered || isSelected) colour.lerp(white, isHovered ? 0.3 : 0.15);
        }
        colour.toArray(batch.colours, 3 * i);
      });
      batch.recoloured();
      batch.encircle(selected, batch.isConvex ? this.rims.convex : this.rims.other, frames);
    }
  }

  clear(): void {
    this.clearBatches();
    this.paints.clear();
  }
  private clearBatches(): void {
    for (const batch of this.batches) batch.clear();
    this.group.clear();
    this.batches = [];
  }
}

function levelsOf(scene: Scene, key: string): Level[] {
  const [kind = "", which = "", half = ""] = key.split(" ");
  if (kind === "box") return [{ least: 0, make: unitBox }];
  if (kind === "sphere") return round.map(({ least, around }) => ({ least, make: () => unitSphere(around) }));
  if (kind === "cylinder") return round.map(({ least, around }) => ({ least, make: () => unitCylinder(around) }));
  if (kind === "torus") return round.map(({ least, around }) => ({ least, make: () => unitTorus(Number(which), half === "1", around) }));
  const { vertices = [], triangles = [], image_places = [] } = scene.surfaces[Number(which)] ?? {};
  const all = () => surfaceGeometry({ vertices: vertices ?? [], triangles: triangles ?? [], places: image_places ?? [] });
  if ((triangles ?? []).length < 3 * manyTriangles) return [{ least: 0, make: all }];
  const coarse = (count: number) => () => surfaceGeometry(coarser({ vertices: vertices ?? [], triangles: triangles ?? [], places: image_places ?? [] }, count));
  const least = cells.map((count) => 0.75 * count);
  return [{ least: least[0]!, make: all }, ...cells.map((count, i) => ({ least: least[i + 1] ?? 0, make: coarse(count) }))];
}

function moved(frame: Float32Array, z: number): Float32Array {
  const out = frame.slice();
  for (let k = 0; k < 3; ++k) out[9 + k]! += z * frame[6 + k]!;
  return out;
}

// Corners of the world box of a part; where its frame is, as 12 numbers.
export function writeBounds(part: Part, frame: Numbers, half: Numbers, centre: Numbers, out: Float32Array): void {
  const [r = 0, s = 0] = part.size;
  for (let k = 0; k < 3; ++k) {
    const [x, y, z] = [frame[k]!, frame[3 + k]!, frame[6 + k]!];
    const across = Math.sqrt(Math.max(0, 1 - z * z));
    let middle = frame[9 + k]!;
    let extent = 0;
    if (part.kind === Kind.sphere) extent = r;
    else if (part.kind === Kind.capsule) extent = r + (s / 2) * Math.abs(z);
    else if (part.kind === Kind.cylinder) extent = r * across + (s / 2) * Math.abs(z);
    else if (part.kind === Kind.torus) extent = s + r * across;
    else {
      // A box, also around triangles: it holds them, if not as closely as could be.
      extent = Math.abs(x) * half[0]! + Math.abs(y) * half[1]! + Math.abs(z) * half[2]!;
      middle += x * centre[0]! + y * centre[1]! + z * centre[2]!;
    }
    out[k] = middle - extent;
    out[3 + k] = middle + extent;
  }
}
