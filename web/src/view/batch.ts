// All pieces of one geometry, in levels of detail: one instanced mesh a level, and each piece in that of its size on the screen.
import { DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, type BufferGeometry, type Group, type Material, type MeshBasicMaterial } from "three";
import { finishes, rubber, sketched } from "./finish";
import { levelFor } from "./levels";
import { writeMatrix, writePoint } from "./math";

export interface Piece {
  body: number;
  frame: number; // that it is drawn in
  local: Float32Array; // frame in the body, stretched
  reach: number; // m, around the frame's origin
  isSketch: boolean;
  isPlain: boolean;
  color: number[];
  finish: number;
  isPainted: boolean; // by its file: its colour is multiplied with that
}

export interface Level {
  least: number; // px of radius from which on it is used
  make: () => BufferGeometry; // when it is used for the first time
}

// From where it is seen.
export interface Eye {
  x: number;
  y: number;
  z: number;
  perPixel: number; // m at a distance of 1 m
  detail: number; // of the quality
}

export class Batch {
  readonly colours: Float32Array; // of the pieces
  private readonly meshes: (InstancedMesh | null)[];
  private readonly least: number[];
  private readonly looks: Float32Array;
  private readonly level: Uint8Array; // of the pieces
  private readonly origins: Float32Array[]; // of the pieces, in their bodies
  private readonly point = new Float32Array(3);
  private areColoursNew = true;
  private outline: { mesh: InstancedMesh; pieces: Piece[] } | null = null;

  constructor(
    private readonly group: Group,
    private readonly levels: readonly Level[],
    private readonly material: Material,
    readonly pieces: Piece[],
    readonly isConvex: boolean,
    private readonly castsShadow: boolean,
  ) {
    this.meshes = levels.map(() => null);
    this.least = levels.map((l) => l.least);
    this.level = new Uint8Array(pieces.length);
    this.origins = pieces.map((piece) => piece.local.slice(9));
    this.colours = new Float32Array(3 * pieces.length);
    this.looks = new Float32Array(4 * pieces.length);
    pieces.forEach((piece, i) => {
      const { metal, rough, pattern } = piece.isSketch && piece.finish === 0 ? sketched : finishes[piece.finish]!;
      const isPlain = piece.isPlain || piece.isSketch || (piece.finish !== 0 && piece.finish !== rubber);
      this.looks.set([isPlain ? 1 : 0, metal, rough, pattern], 4 * i);
    });
  }

  recoloured(): void {
    this.areColoursNew = true;
  }

  // The levels of a still picture may change because the camera comes nearer; else there is nothing to do.
  place(frames: Float32Array, eye: Eye, isMoved: boolean): void {
    let isChanged = isMoved || this.areColoursNew;
    const { pieces, level, least, point } = this;
    if (least.length > 1) {
      for (let i = 0; i < pieces.length; ++i) {
        writePoint(frames, 12 * pieces[i]!.frame, this.origins[i]!, point);
        const away = Math.hypot(point[0]! - eye.x, point[1]! - eye.y, point[2]! - eye.z) - pieces[i]!.reach;
        const pixels = away > 0 ? (eye.detail * pieces[i]!.reach) / (away * eye.perPixel) : Infinity;
        const now = levelFor(pixels, least);
        if (now === level[i]) continue;
        level[i] = now;
        isChanged = this.areColoursNew = true;
      }
    }
    if (!isChanged) return;
    const counts = this.meshes.map(() => 0);
    for (let i = 0; i < pieces.length; ++i) {
      const mesh = this.meshOf(level[i]!);
      const at = counts[level[i]!]!++;
      writeMatrix(frames, 12 * pieces[i]!.frame, pieces[i]!.local, 0, mesh.instanceMatrix.array as Float32Array, 16 * at);
      if (!this.areColoursNew) continue;
      (mesh.instanceColor!.array as Float32Array).set(this.colours.subarray(3 * i, 3 * i + 3), 3 * at);
      (mesh.geometry.getAttribute("look").array as Float32Array).set(this.looks.subarray(4 * i, 4 * i + 4), 4 * at);
    }
    this.meshes.forEach((mesh, k) => {
      if (!mesh) return;
      mesh.count = counts[k]!;
      mesh.visible = mesh.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
      if (!this.areColoursNew) return;
      mesh.instanceColor!.needsUpdate = true;
      mesh.geometry.getAttribute("look").needsUpdate = true;
    });
    this.areColoursNew = false;
    if (this.outline) this.placeOutline(frames);
  }

  private meshOf(level: number): InstancedMesh {
    const known = this.meshes[level];
    if (known) return known;
    const geometry = this.levels[level]!.make();
    geometry.setAttribute("look", new InstancedBufferAttribute(new Float32Array(4 * this.pieces.length), 4));
    const mesh = new InstancedMesh(geometry, this.material, this.pieces.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * this.pieces.length), 3);
    mesh.castShadow = this.castsShadow;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    this.meshes[level] = mesh;
    this.group.add(mesh);
    this.areColoursNew = true;
    return mesh;
  }

  // Around one body, or none.
  encircle(body: number, material: MeshBasicMaterial, frames: Float32Array): void {
    this.outline?.mesh.removeFromParent();
    this.outline?.mesh.dispose();
    this.outline = null;
    const pieces = this.pieces.filter((piece) => piece.body === body);
    if (body <= 0 || pieces.length === 0) return;
    const mesh = new InstancedMesh(this.meshOf(this.level[this.pieces.indexOf(pieces[0]!)]!).geometry, material, pieces.length);
    mesh.frustumCulled = false;
    this.outline = { mesh, pieces };
    this.group.add(mesh);
    this.placeOutline(frames);
  }
  private placeOutline(frames: Float32Array): void {
    const { mesh, pieces } = this.outline!;
    const out = mesh.instanceMatrix.array as Float32Array;
    pieces.forEach((piece, i) => writeMatrix(frames, 12 * piece.frame, piece.local, 0, out, 16 * i));
    mesh.instanceMatrix.needsUpdate = true;
  }

  clear(): void {
    this.outline?.mesh.dispose();
    for (const mesh of this.meshes) {
      mesh?.geometry.dispose();
      mesh?.dispose();
    }
  }
}
