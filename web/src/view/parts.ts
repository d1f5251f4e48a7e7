// The bodies' shapes. All of a kind are one instanced mesh, whatever body they belong to; capsules are made of two
// balls and a cylinder, so they need none of their own.
import {
  BackSide, Color, DynamicDrawUsage, Group, InstancedBufferAttribute, InstancedMesh, MeshBasicMaterial, MeshStandardMaterial, SRGBColorSpace, type BufferGeometry,
} from "three";
import type { Scene } from "../core/client";
import { localFrame, writeMatrix, type Numbers } from "./math";
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
  reach: number; // around the frame's origin
}

export function partsOf(scene: Scene): Part[] {
  const parts: Part[] = [];
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
    let far = kind === Kind.surface ? 0 : reach(kind, size);
    for (let i = 0; i + 2 < vertices.length; i += 3) far = Math.max(far, Math.hypot(vertices[i]!, vertices[i + 1]!, vertices[i + 2]!));
    const local = localFrame(part.pose ?? [], [1, 1, 1]);
    parts.push({ body, kind, size, local, surface, isSketch: part.is_sketch ?? false, color: [...(part.color ?? [])], finish: part.finish ?? 0, reach: far });
  }
  return parts;
}

interface Piece {
  body: number;
  local: Float32Array;
  isSketch: boolean;
  isPlain: boolean;
  color: number[];
  finish: number;
}

// Metallic, rough, and the colour of what has none of its own; by the numbers of the protocol.
const finishes: { metal: number; rough: number; color: string | null }[] = [
  { metal: 0, rough: 0.5, color: null }, // paint
  { metal: 0.8, rough: 0.34, color: "#b9c0c8" },
  { metal: 0, rough: 0.92, color: "#2c2e31" }, // rubber
  { metal: 0.3, rough: 0.06, color: "#9cc3d6" }, // glass
  { metal: 0, rough: 1, color: "#8f7a5e" }, // earth
  { metal: 0, rough: 0.95, color: "#aaa8a2" }, // concrete
  { metal: 0, rough: 0.7, color: "#b58855" }, // wood
];
const rubber = 2;

// How an instance looks beyond its colour: x: without quarters, y: metallic, z: rough.
function withLook(material: MeshStandardMaterial): MeshStandardMaterial {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec3 look;\nvarying vec2 vSurface;")
      .replace(
        "#include <color_vertex>",
        "vColor = instanceColor * mix(color, vec3(1.0), look.x);\nvSurface = look.yz;",
      );
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec2 vSurface;")
      .replace("#include <roughnessmap_fragment>", "float roughnessFactor = vSurface.y;")
      .replace("#include <metalnessmap_fragment>", "float metalnessFactor = vSurface.x;");
  };
  return material;
}

// The backs of a shape that is thicker by some pixels: what is seen of them is a rim.
function rim(isConvex: boolean): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ side: BackSide, toneMapped: false });
  // Hard edges have no normal between the faces; away from the middle there is always one.
  const away = isConvex ? "position" : "normal";
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace(
      "#include <project_vertex>",
      `#include <project_vertex>
      vec3 away = normalize(normalMatrix * mat3(instanceMatrix) * ${away});
      mvPosition.xyz += away * ${rimWidth} * -mvPosition.z;
      gl_Position = projectionMatrix * mvPosition;`,
    );
  };
  return material;
}
const rimWidth = "0.0035"; // of the distance: some two pixels

class Batch {
  readonly mesh: InstancedMesh;
  private outline: { mesh: InstancedMesh; pieces: Piece[] } | null = null;

  constructor(geometry: BufferGeometry, material: MeshStandardMaterial, readonly pieces: Piece[], readonly isConvex: boolean) {
    const look = new Float32Array(3 * pieces.length);
    pieces.forEach((piece, i) => {
      const { metal, rough } = piece.isSketch && piece.finish === 0 ? { metal: 0.55, rough: 0.36 } : finishes[piece.finish]!;
      const isPlain = piece.isPlain || piece.isSketch || (piece.finish !== 0 && piece.finish !== rubber);
      look.set([isPlain ? 1 : 0, metal, rough], 3 * i);
    });
    geometry.setAttribute("look", new InstancedBufferAttribute(look, 3));
    this.mesh = new InstancedMesh(geometry, material, pieces.length);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * pieces.length), 3);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  place(frames: Float32Array): void {
    place(this.mesh, this.pieces, frames);
    if (this.outline) place(this.outline.mesh, this.outline.pieces, frames);
  }

  // Around one body, or none.
  encircle(body: number, material: MeshBasicMaterial, frames: Float32Array): void {
    this.outline?.mesh.removeFromParent();
    this.outline?.mesh.dispose();
    this.outline = null;
    const pieces = this.pieces.filter((piece) => piece.body === body);
    if (body <= 0 || pieces.length === 0) return;
    const mesh = new InstancedMesh(this.mesh.geometry, material, pieces.length);
    mesh.frustumCulled = false;
    this.outline = { mesh, pieces };
    this.mesh.parent?.add(mesh);
    place(mesh, pieces, frames);
  }
}

function place(mesh: InstancedMesh, pieces: Piece[], frames: Float32Array): void {
  const out = mesh.instanceMatrix.array as Float32Array;
  for (let i = 0; i < pieces.length; ++i) writeMatrix(frames, 12 * pieces[i]!.body, pieces[i]!.local, 0, out, 16 * i);
  mesh.instanceMatrix.needsUpdate = true;
}

export class Parts {
  readonly group = new Group();
  private batches: Batch[] = [];
  private readonly material = withLook(new MeshStandardMaterial({ roughness: 0.5, metalness: 0, vertexColors: true }));
  private readonly rims = { convex: rim(true), other: rim(false) };

  build(scene: Scene, parts: Part[]): void {
    this.clear();
    const pieces = new Map<string, Piece[]>();
    const put = (key: string, part: Part, pose: Float32Array, scale: [number, number, number], isPlain = false) => {
      const local = new Float32Array(12);
      const matrix = new Float32Array(16);
      // A plate without thickness would have no normals.
      const least = 0.004 * Math.max(...scale);
      const stretch = localFrame([0, 0, 0, 1, 0, 0, 0], scale.map((s) => Math.max(s, least)) as typeof scale);
      writeMatrix(pose, 0, stretch, 0, matrix, 0);
      for (let column = 0; column < 4; ++column) local.set(matrix.subarray(4 * column, 4 * column + 3), 3 * column);
      const list = pieces.get(key) ?? [];
      pieces.set(key, list);
      list.push({ body: part.body, local, isSketch: part.isSketch, isPlain, color: part.color, finish: part.finish });
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
      const [kind = "", which = "", half = ""] = key.split(" ");
      // Fewer corners where there are many: nobody sees them all from near.
      const around = list.length > 250 ? 12 : list.length > 60 ? 16 : kind === "sphere" ? 28 : 32;
      const surface = scene.surfaces[Number(which)];
      const geometry =
        kind === "sphere" ? unitSphere(around)
        : kind === "box" ? unitBox()
        : kind === "cylinder" ? unitCylinder(around)
        : kind === "torus" ? unitTorus(Number(which), half === "1", around)
        : surfaceGeometry(surface?.vertices ?? [], surface?.triangles ?? []);
      const batch = new Batch(geometry, this.material, list, kind !== "torus" && kind !== "surface");
      this.batches.push(batch);
      this.group.add(batch.mesh);
    }
  }

  place(frames: Float32Array): void {
    for (const batch of this.batches) batch.place(frames);
  }

  // The selected body has a rim, the one under the cursor is lighter.
  colour(palette: Palette, selected: number, hovered: number, frames: Float32Array): void {
    this.rims.convex.color.set(palette.accent);
    this.rims.other.color.set(palette.accent);
    const colour = new Color();
    const white = new Color("white");
    for (const batch of this.batches) {
      const colours = batch.mesh.instanceColor!;
      batch.pieces.forEach((piece, i) => {
        const own = finishes[piece.finish]!.color;
        if (piece.color.length === 3) colour.setRGB(piece.color[0]!, piece.color[1]!, piece.color[2]!, SRGBColorSpace);
        else if (own) colour.set(own);
        else bodyColour(piece.body, piece.isSketch, palette, colour);
        if (piece.body === hovered) colour.lerp(white, 0.3);
        else if (piece.body === selected) colour.lerp(white, 0.15);
        colour.toArray(colours.array, 3 * i);
      });
      colours.needsUpdate = true;
      batch.encircle(selected, batch.isConvex ? this.rims.convex : this.rims.other, frames);
    }
  }

  clear(): void {
    for (const batch of this.batches) {
      batch.mesh.geometry.dispose();
      batch.mesh.dispose();
    }
    this.group.clear();
    this.batches = [];
  }
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
