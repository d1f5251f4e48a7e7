// Height fields as they are now, and what lies in or on bodies: the page's copy of what the server tells of them.
//
// The server tells tiles that have changed, after a scene all that differs from it. Whoever draws asks what is newer than what it
// has drawn.
import type { Scene } from "./client";
import { bristle } from "./protocol.js";

export type GroundMessage = bristle.wire.IGround;
type FieldMessage = bristle.wire.IField;

const { TILE_POINTS: side, HEAP_UNITS: heapUnits } = bristle.wire.Agreed;

export class Field {
  readonly shape: number; // -1: it stays as it is
  readonly columns: number;
  readonly rows: number;
  readonly base: Int32Array; // in units
  readonly heights: Float32Array; // m, of every point; then by how much it is higher than in the scene
  readonly tiles: { columns: number; version: Uint32Array };
  readonly x: Float32Array; // m, of the columns
  readonly y: Float32Array; // of the rows
  position: number[] | null = null; // in its body; null: as in the scene
  isAway: boolean;
  color = 0;
  low = Infinity; // m, no height is beyond
  high = -Infinity;
  version = 0; // of the last change
  private readonly unit: number;
  private readonly wasAway: boolean;

  constructor(from: FieldMessage) {
    this.shape = from.shape ?? -1;
    this.columns = from.columns ?? 0;
    this.rows = from.rows ?? 0;
    this.unit = from.unit ?? 1;
    this.isAway = this.wasAway = from.is_away ?? false;
    const places = (count: number, spacing: number, last: number) =>
      Float32Array.from({ length: count }, (_, i) => spacing * (i + 1 < count ? i * (from.stride ?? 1) : Math.max(0, i - 1) * (from.stride ?? 1) + last));
    this.x = places(this.columns, from.spacing_x ?? 1, from.last_x ?? 1);
    this.y = places(this.rows, from.spacing_y ?? 1, from.last_y ?? 1);
    const columns = Math.ceil(this.columns / side);
    this.tiles = { columns, version: new Uint32Array(columns * Math.ceil(this.rows / side)) };
    this.base = unpacked(from.heights ?? [], this.columns);
    this.heights = new Float32Array(2 * this.base.length);
    for (let i = 0; i < this.base.length; ++i) this.put(i, this.base[i]!);
  }

  // Of a tile, in points.
  area(tile: number): { column: number; row: number; columns: number; rows: number } {
    const column = side * (tile % this.tiles.columns);
    const row = side * Math.floor(tile / this.tiles.columns);
    return { column, row, columns: Math.min(side, this.columns - column), rows: Math.min(side, this.rows - row) };
  }
  // What is drawn of it is the same as of the other at the start.
  isLike(other: Field): boolean {
    return (
      this.shape === other.shape && this.shape >= 0 && this.columns === other.columns && this.rows === other.rows && this.unit === other.unit &&
      this.x[1] === other.x[1] && this.y[1] === other.y[1] && this.wasAway === other.wasAway && this.base.every((h, i) => h === other.base[i])
    );
  }

  set(tile: number, heights: Int32Array, version: number): void {
    const { column, row, columns, rows } = this.area(tile);
    if (heights.length !== columns * rows) return;
    for (let r = 0; r < rows; ++r) for (let c = 0; c < columns; ++c) this.put((row + r) * this.columns + column + c, heights[r * columns + c]!);
    this.tiles.version[tile] = this.version = version;
  }
  revert(tile: number, version: number): void {
    const { column, row, columns, rows } = this.area(tile);
    for (let r = 0; r < rows; ++r)
      for (let i = (row + r) * this.columns + column, end = i + columns; i < end; ++i) this.put(i, this.base[i]!);
    this.tiles.version[tile] = this.version = version;
  }
  private put(point: number, height: number): void {
    const z = this.unit * height;
    this.heights[2 * point] = z;
    // Of what waited to be placed nothing is as it was.
    this.heights[2 * point + 1] = this.wasAway ? 1e3 : this.unit * (height - this.base[point]!);
    if (z < this.low) this.low = z;
    if (z > this.high) this.high = z;
  }
}

// A sheet of points in a body's frame.
export interface Heap {
  body: number;
  columns: number; // 0: there is none
  points: Float32Array; // x y z each, m
  color: number;
  version: number;
}

export class Grounds {
  fields: Field[] = []; // as the scene has them
  heaps: Heap[] = [];
  version = 0;

  // `isAnew`: nothing is as it was.
  take(scene: Pick<Scene, "fields">, isAnew: boolean): void {
    const before = this.fields;
    this.fields = scene.fields.map((message) => {
      const field = new Field(message);
      const known = isAnew ? undefined : before.find((other) => other.isLike(field));
      return known ?? field;
    });
    if (isAnew) this.heaps = [];
    ++this.version;
  }

  hear(message: GroundMessage): void {
    const version = ++this.version;
    if (message.is_whole) this.revert(message, version);
    for (const place of message.places ?? []) {
      for (const field of this.of(place.shape)) {
        field.position = place.position?.length === 3 ? [...place.position] : null;
        field.isAway = place.is_away ?? false;
        field.color = place.color ?? 0;
        field.version = version;
      }
    }
    for (const tile of message.tiles ?? []) {
      const heights = unpacked(tile.heights ?? [], tile.columns ?? 1);
      for (const field of this.of(tile.shape)) if ((tile.tile ?? 0) < field.tiles.version.length) field.set(tile.tile ?? 0, heights, version);
    }
    for (const heap of message.heaps ?? []) {
      const points = new Float32Array(heap.points ?? []);
      for (let i = 3; i < points.length; ++i) points[i]! += points[i - 3]!;
      for (let i = 0; i < points.length; ++i) points[i]! /= heapUnits;
      this.heaps[heap.index ?? 0] = { body: heap.body ?? 0, columns: heap.columns ?? 0, points, color: heap.color ?? 0, version };
    }
  }

  private of(shape: number | null | undefined): Field[] {
    return this.fields.filter((field) => field.shape >= 0 && field.shape === (shape ?? 0));
  }
  private revert(message: GroundMessage, version: number): void {
    for (const field of this.fields) {
      const named = new Set((message.tiles ?? []).filter((tile) => (tile.shape ?? 0) === field.shape).map((tile) => tile.tile ?? 0));
      field.tiles.version.forEach((changed, tile) => {
        if (changed > 0 && !named.has(tile)) field.revert(tile, version);
      });
    }
    this.heaps = this.heaps.map((heap) => ({ ...heap, columns: 0, version }));
  }
}

// Each is less what those to the left and below make likely, modulo 2³².
export function unpacked(packed: ArrayLike<number>, columns: number): Int32Array {
  const out = new Int32Array(packed.length);
  for (let i = 0; i < out.length; ++i) {
    const hasLeft = i % columns > 0;
    const left = hasLeft ? out[i - 1]! : 0;
    const below = i >= columns ? out[i - columns]! : 0;
    const across = hasLeft && i >= columns ? out[i - columns - 1]! : 0;
    out[i] = packed[i]! + left + below - across;
  }
  return out;
}
