// What lies in or on bodies: sheets of soil, made anew when they change.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, MeshStandardMaterial } from "three";
import type { Grounds, Heap } from "../core/ground";
import { clodOf, soilColour, withSoil } from "./finish";

export class Heaps {
  readonly group = new Group();
  private shown: { heap: Heap; mesh: Mesh }[] = [];
  private readonly materials = new Map<number, MeshStandardMaterial>(); // by colours

  // True if something is other than before.
  update({ heaps }: Grounds): boolean {
    let isChanged = this.shown.length > heaps.length;
    for (const { mesh } of this.shown.splice(heaps.length)) drop(mesh);
    heaps.forEach((heap, i) => {
      const before = this.shown[i];
      if (before?.heap === heap) return;
      isChanged = true;
      const mesh = before?.mesh ?? new Mesh(new BufferGeometry(), this.materialOf(heap.color));
      mesh.material = this.materialOf(heap.color);
      mesh.frustumCulled = mesh.matrixAutoUpdate = false;
      mesh.castShadow = mesh.receiveShadow = true;
      this.group.add(mesh);
      this.shown[i] = { heap, mesh };
      fill(mesh.geometry, heap);
    });
    return isChanged;
  }

  place(frames: Float32Array): void {
    for (const { heap, mesh } of this.shown) {
      mesh.visible = heap.columns > 1 && 12 * heap.body + 11 < frames.length;
      if (!mesh.visible) continue;
      const f = frames.subarray(12 * heap.body, 12 * heap.body + 12);
      mesh.matrix.set(f[0]!, f[3]!, f[6]!, f[9]!, f[1]!, f[4]!, f[7]!, f[10]!, f[2]!, f[5]!, f[8]!, f[11]!, 0, 0, 0, 1);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  private materialOf(color: number): MeshStandardMaterial {
    let material = this.materials.get(color);
    if (material) return material;
    material = new MeshStandardMaterial({ roughness: 1, side: DoubleSide });
    const uniforms = { soil: { value: new Color(soilColour(color)) }, cell: { value: 1 }, clod: { value: clodOf(0.06) } };
    material.customProgramCacheKey = () => "heap";
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec3 vPlace;\nvarying float vLean;\nvarying vec2 vChange;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvPlace = transformed;\nvLean = 0.0;\nvChange = vec2(1.0);");
      withSoil(shader, 0);
    };
    this.materials.set(color, material);
    return material;
  }

  clear(): void {
    for (const { mesh } of this.shown) drop(mesh);
    this.shown = [];
  }
}

function drop(mesh: Mesh): void {
  mesh.removeFromParent();
  mesh.geometry.dispose();
}

function fill(geometry: BufferGeometry, { points, columns }: Heap): void {
  const rows = columns > 1 ? Math.floor(points.length / 3 / columns) : 0;
  const corners: number[] = [];
  for (let r = 0; r + 1 < rows; ++r)
    for (let c = 0; c + 1 < columns; ++c) {
      const i = r * columns + c;
      corners.push(i, i + 1, i + columns + 1, i, i + columns + 1, i + columns);
    }
  geometry.dispose();
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  geometry.setIndex(corners);
  geometry.deleteAttribute("normal"); // it was for as many points as there were
  geometry.computeVertexNormals();
}
