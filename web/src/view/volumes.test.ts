import { describe, expect, it } from "vitest";
import { SharedVolumes } from "./volumes";

const tetrahedron = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], triangles: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3] };

describe("Shared volumes", () => {
  it("are drawn as they come, and gone when they are", () => {
    const volumes = new SharedVolumes();
    volumes.place(tetrahedron);
    const { geometry } = volumes.mesh;
    expect(geometry.drawRange.count).toBe(12);
    expect([...geometry.getAttribute("position")!.array].slice(0, 12)).toEqual(tetrahedron.vertices);
    expect([...geometry.getIndex()!.array].slice(0, 12)).toEqual(tetrahedron.triangles);
    volumes.place({ vertices: [], triangles: [] });
    expect(volumes.mesh.geometry.drawRange.count).toBe(0);
    expect(volumes.mesh.geometry).toBe(geometry); // its room is kept
    volumes.place(null);
    expect(volumes.mesh.geometry.drawRange.count).toBe(0);
  });

  it("find room for more", () => {
    const volumes = new SharedVolumes();
    volumes.place(tetrahedron);
    const twice = {
      vertices: [...tetrahedron.vertices, ...tetrahedron.vertices.map((v) => v + 2)],
      triangles: [...tetrahedron.triangles, ...tetrahedron.triangles.map((t) => t + 4)],
    };
    volumes.place(twice);
    const { geometry } = volumes.mesh;
    expect(geometry.drawRange.count).toBe(24);
    expect([...geometry.getAttribute("position")!.array]).toEqual(twice.vertices);
    expect([...geometry.getIndex()!.array]).toEqual(twice.triangles);
  });
});
