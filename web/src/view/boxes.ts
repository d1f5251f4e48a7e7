// The boxes around parts as lines: one call.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments } from "three";
import { writeMatrix } from "./math";
import { writeBounds, type Part } from "./parts";
import { Kind } from "./pick";

// Ends of the twelve edges; bit k: the upper side along axis k.
const edges = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

export class Boxes {
  readonly lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.75 }));
  private parts: { part: Part; half: number[]; centre: number[] }[] = [];
  private readonly matrix = new Float32Array(16);
  private readonly frame = new Float32Array(12);
  private readonly corners = new Float32Array(6);

  constructor() {
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 3;
    this.lines.visible = false;
  }

  take(parts: Part[]): void {
    this.parts = [];
    for (const part of parts) {
      if (part.kind === Kind.plane || part.field?.isAway) continue;
      let half = [0, 1, 2].map((k) => (part.size[k] ?? 0) / 2);
      let centre = [0, 0, 0];
      if (part.corners.length) {
        const ends = [0, 1, 2].map((k) => [part.corners[k]!, part.corners[21 + k]!] as const);
        half = ends.map(([low, high]) => (high - low) / 2);
        centre = ends.map(([low, high]) => (high + low) / 2);
      }
      this.parts.push({ part, half, centre });
    }
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry();
    const positions = new BufferAttribute(new Float32Array(3 * edges.length * this.parts.length), 3);
    this.lines.geometry.setAttribute("position", positions.setUsage(DynamicDrawUsage));
  }

  place(frames: Float32Array): void {
    const attribute = this.lines.geometry.getAttribute("position") as BufferAttribute;
    const out = attribute.array;
    let o = 0;
    for (const { part, half, centre } of this.parts) {
      writeMatrix(frames, 12 * part.frame, part.local, 0, this.matrix, 0);
      for (let c = 0; c < 4; ++c) for (let k = 0; k < 3; ++k) this.frame[3 * c + k] = this.matrix[4 * c + k]!;
      writeBounds(part, this.frame, half, centre, this.corners);
      for (const corner of edges) for (let k = 0; k < 3; ++k) out[o++] = this.corners[corner & (1 << k) ? 3 + k : k]!;
    }
    attribute.needsUpdate = true;
  }
}
