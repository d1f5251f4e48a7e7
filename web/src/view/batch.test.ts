import { BufferGeometry, Group, MeshBasicMaterial } from "three";
import { expect, it } from "vitest";
import { Batch } from "./batch";
import { localFrame } from "./math";

// Scenery far from the origin belongs to the ground, whose own place is the origin: it was drawn coarsely, however near one came.
it("is as fine as suits where its pieces are, not their bodies", () => {
  const made: string[] = [];
  const level = (least: number, name: string) => ({
    least,
    make: () => {
      made.push(name);
      return new BufferGeometry();
    },
  });
  const local = localFrame([100, 0, 0, 1, 0, 0, 0], [1, 1, 1]);
  const piece = { body: 0, frame: 0, local, reach: 1, isSketch: false, isPlain: false, color: [], finish: 0, isPainted: false };
  const batch = new Batch(new Group(), [level(100, "fine"), level(0, "coarse")], new MeshBasicMaterial(), [piece], true, true);
  const ground = localFrame([], [1, 1, 1]);
  batch.place(ground, { x: 103, y: 0, z: 0, perPixel: 1e-3, detail: 1 }, true);
  expect(made).toEqual(["fine"]);
  batch.place(ground, { x: 0, y: 0, z: 0, perPixel: 1e-3, detail: 1 }, true);
  expect(made).toEqual(["fine", "coarse"]);
});
