// What solids share, as one mesh that shines through the bodies around it.
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Mesh, MeshLambertMaterial } from "three";

type Surface = { vertices?: number[] | null; triangles?: number[] | null };

export class SharedVolumes {
  private readonly material = new MeshLambertMaterial({ transparent: true, opacity: 0.5, depthTest: false, depthWrite: false, flatShading: true, side: DoubleSide });
  readonly mesh = new Mesh(new BufferGeometry(), this.material);
  private placed: Surface | null | undefined;

  constructor() {
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 9; // over the bodies, below arrows
    this.mesh.visible = false;
    this.make(0, 0);
  }

  // It keeps its colour in the shade, as signs do.
  dress(colour: string): void {
    this.material.color.set(colour);
    this.material.emissive.set(colour).multiplyScalar(0.35);
  }

  // The same object again changes nothing.
  place(surface: Surface | null | undefined): void {
    if (surface === this.placed) return;
    this.placed = surface;
    const vertices = surface?.vertices ?? [];
    const triangles = surface?.triangles ?? [];
    let [positions, corners] = this.room();
    if (vertices.length > positions.array.length || triangles.length > corners.array.length) {
      this.make(Math.max(vertices.length, 2 * positions.array.length), Math.max(triangles.length, 2 * corners.array.length));
      [positions, corners] = this.room();
    }
    positions.array.set(vertices);
    corners.array.set(triangles);
    positions.needsUpdate = corners.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, triangles.length);
  }

  private room(): [BufferAttribute, BufferAttribute] {
    const { geometry } = this.mesh;
    return [geometry.getAttribute("position") as BufferAttribute, geometry.getIndex()!];
  }
  private make(vertices: number, triangles: number): void {
    this.mesh.geometry.dispose();
    this.mesh.geometry = new BufferGeometry();
    this.mesh.geometry.setAttribute("position", new BufferAttribute(new Float32Array(vertices), 3).setUsage(DynamicDrawUsage));
    this.mesh.geometry.setIndex(new BufferAttribute(new Uint32Array(triangles), 1).setUsage(DynamicDrawUsage));
  }
}
