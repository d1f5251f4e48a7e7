// What flies: each grain of a state is a handful of clods, drawn at once for all.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, IcosahedronGeometry, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, MeshLambertMaterial } from "three";
import type { State } from "../core/client";
import { soilColour } from "./finish";

const clods = 7; // of a grain

export class Grains {
  readonly mesh = new Mesh(handful(), materialOf());
  private room = 0;

  constructor() {
    this.mesh.frustumCulled = this.mesh.visible = false;
  }

  place({ grains, grain_colors: colours }: Pick<State, "grains" | "grain_colors">): void {
    const count = Math.floor(grains.length / 4);
    this.mesh.visible = count > 0;
    if (count === 0) return;
    const geometry = this.mesh.geometry as InstancedBufferGeometry;
    if (count > this.room) {
      this.room = Math.max(64, 2 * count);
      for (const [name, size] of [["grain", 4], ["tint", 3]] as const)
        geometry.setAttribute(name, new InstancedBufferAttribute(new Float32Array(size * this.room), size).setUsage(DynamicDrawUsage));
    }
    const [places, tints] = [geometry.getAttribute("grain"), geometry.getAttribute("tint")] as [BufferAttribute, BufferAttribute];
    places.array.set(grains);
    for (let i = 0; i < count; ++i) {
      const colour = soilColour(colours[i] ?? 0);
      for (let k = 0; k < 3; ++k) tints.array[3 * i + k] = (((colour >> (16 - 8 * k)) & 255) / 255) ** 2.2;
    }
    places.needsUpdate = tints.needsUpdate = true;
    geometry.instanceCount = count;
  }

  clear(): void {
    this.mesh.visible = false;
  }
}

// Together they have the volume of a ball of radius 1.
function handful(): InstancedBufferGeometry {
  const one = new IcosahedronGeometry(1, 0);
  const [from, count] = [one.getAttribute("position").array, one.getAttribute("position").count];
  const positions = new Float32Array(3 * count * clods);
  const sizes = Array.from({ length: clods }, (_, k) => 0.35 + 0.3 * Math.abs(Math.sin(5 * k + 1)));
  const whole = Math.cbrt(sizes.reduce((sum, s) => sum + s ** 3, 0));
  for (let k = 0; k < clods; ++k) {
    // Around the middle, along the golden angle.
    const [z, turn] = [1 - (2 * k + 1) / clods, 2.4 * k];
    const at = [Math.cos(turn) * Math.sqrt(1 - z * z), Math.sin(turn) * Math.sqrt(1 - z * z), z];
    for (let i = 0; i < 3 * count; ++i) positions[3 * count * k + i] = 1.3 * at[i % 3]! + (sizes[k]! / whole) * from[i]!;
  }
  one.dispose();
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.computeVertexNormals();
  const out = new InstancedBufferGeometry();
  out.setAttribute("position", geometry.getAttribute("position"));
  out.setAttribute("normal", geometry.getAttribute("normal"));
  return out;
}

function materialOf(): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec4 grain;\nattribute vec3 tint;\nvarying vec3 vTint;")
      .replace(
        "#include <beginnormal_vertex>",
        `// Each handful is turned in its own way.
        float turn = 2.4 * float(gl_InstanceID);
        mat3 about = mat3(cos(turn), sin(turn), 0.0, -sin(turn), cos(turn), 0.0, 0.0, 0.0, 1.0);
        vec3 objectNormal = about * normal;
        vTint = tint;`,
      )
      .replace("#include <begin_vertex>", "vec3 transformed = grain.xyz + grain.w * (about * position);");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vTint;")
      .replace("#include <color_fragment>", "diffuseColor.rgb = vTint;");
  };
  return material;
}
