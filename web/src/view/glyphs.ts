// Arrows, dots, rods and cubes of the layers: instanced, filled anew for every drawn frame.
import { Color, DynamicDrawUsage, Group, InstancedMesh, MeshLambertMaterial, SphereGeometry, BoxGeometry, type BufferGeometry, type WebGLRenderer } from "three";
import { writeSideways } from "./math";
import { unitCone, unitRod } from "./shapes";

const side = new Float32Array(3);

// Instances of one unit shape; grows.
export class Crowd {
  mesh: InstancedMesh;
  count = 0;

  constructor(
    private readonly parent: Group,
    private readonly geometry: BufferGeometry,
    private readonly material: MeshLambertMaterial,
    private readonly setUp: (mesh: InstancedMesh) => void,
    capacity = 64,
  ) {
    this.mesh = this.make(capacity);
  }

  private make(capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, capacity);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.setColorAt(0, new Color());
    mesh.instanceColor!.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    this.setUp(mesh);
    this.parent.add(mesh);
    return mesh;
  }

  begin(): void {
    this.count = 0;
  }

  // Along the direction with that length, and as thick as said.
  put(at: ArrayLike<number>, o: number, dx: number, dy: number, dz: number, length: number, thickness: number, colour: Color): void {
    if (this.count === this.mesh.instanceMatrix.count) {
      const small = this.mesh;
      this.mesh = this.make(2 * this.count);
      this.mesh.instanceMatrix.array.set(small.instanceMatrix.array);
      this.mesh.instanceColor!.array.set(small.instanceColor!.array);
      small.removeFromParent();
      small.dispose();
    }
    const norm = Math.sqrt(dx * dx + dy * dy + dz * dz) || 1;
    dx /= norm;
    dy /= norm;
    dz /= norm;
    writeSideways(dx, dy, dz, side);
    const m = this.mesh.instanceMatrix.array;
    const i = 16 * this.count;
    const [x, y, z] = [side[0]!, side[1]!, side[2]!];
    m[i] = thickness * x;
    m[i + 1] = thickness * y;
    m[i + 2] = thickness * z;
    m[i + 4] = thickness * (dy * z - dz * y);
    m[i + 5] = thickness * (dz * x - dx * z);
    m[i + 6] = thickness * (dx * y - dy * x);
    m[i + 8] = length * dx;
    m[i + 9] = length * dy;
    m[i + 10] = length * dz;
    m[i + 12] = at[o]!;
    m[i + 13] = at[o + 1]!;
    m[i + 14] = at[o + 2]!;
    m[i + 15] = 1;
    colour.toArray(this.mesh.instanceColor!.array, 3 * this.count);
    ++this.count;
  }

  end(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    if (!this.mesh.visible) return;
    const used = (attribute: NonNullable<InstancedMesh["instanceColor"]>, width: number) => {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, width * this.count);
      attribute.needsUpdate = true;
    };
    used(this.mesh.instanceMatrix, 16);
    used(this.mesh.instanceColor!, 3);
  }
}

// `overlay` is drawn over everything else, with its own depth: joints and forces are mostly inside bodies.
export class Glyphs {
  readonly group = new Group();
  readonly bars: Crowd; // among the bodies, with shadows
  readonly points: Crowd; // among the bodies
  readonly rods: Crowd;
  readonly cones: Crowd;
  readonly balls: Crowd;
  readonly cubes: Crowd;
  private readonly all: Crowd[];
  private readonly tip = new Float32Array(3);
  private isDepthCleared = false;

  constructor() {
    const solid = new MeshLambertMaterial();
    // Signs keep their colour in the shade.
    const glowing = new MeshLambertMaterial();
    glowing.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace("#include <emissivemap_fragment>", "totalEmissiveRadiance += 0.45 * vColor;");
    };
    const overlay = (mesh: InstancedMesh) => {
      mesh.renderOrder = 10;
      mesh.onBeforeRender = (renderer: WebGLRenderer) => {
        if (!this.isDepthCleared) renderer.clearDepth();
        this.isDepthCleared = true;
      };
    };
    // Late among the opaque, so that they lie over the ground too.
    glowing.transparent = true;
    // Small on the screen, and many.
    const ball = new SphereGeometry(1, 10, 7);
    this.bars = new Crowd(this.group, unitRod(), solid, (mesh) => (mesh.castShadow = mesh.receiveShadow = true));
    this.points = new Crowd(this.group, ball, glowing, (mesh) => (mesh.renderOrder = 2));
    this.rods = new Crowd(this.group, unitRod(), glowing, overlay);
    this.cones = new Crowd(this.group, unitCone(), glowing, overlay);
    this.balls = new Crowd(this.group, ball, glowing, overlay);
    this.cubes = new Crowd(this.group, new BoxGeometry(2, 2, 2), glowing, overlay);
    this.all = [this.bars, this.points, this.rods, this.cones, this.balls, this.cubes];
  }

  begin(): void {
    this.isDepthCleared = false;
    for (const crowd of this.all) crowd.begin();
  }
  end(): void {
    for (const crowd of this.all) crowd.end();
  }

  // From a point; `heads`: 2 for moments.
  arrow(at: ArrayLike<number>, o: number, dx: number, dy: number, dz: number, length: number, thickness: number, heads: number, colour: Color): void {
    const norm = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(norm > 0) || !(length > 0)) return;
    const head = Math.min(5 * thickness, (0.8 * length) / heads);
    this.rods.put(at, o, dx, dy, dz, length - head, thickness, colour);
    for (let h = 1; h <= heads; ++h) {
      const along = (length - h * head) / norm;
      for (let k = 0; k < 3; ++k) this.tip[k] = at[o + k]! + along * (k === 0 ? dx : k === 1 ? dy : dz);
      this.cones.put(this.tip, 0, dx, dy, dz, head, 2.4 * thickness, colour);
    }
  }
}
