// Springs as coils: all of them in one call. The geometry is a helix from 0 to 1 along z with straight ends;
// the vertex shader stretches it between two points, and the wire stays round.
import {
  BufferAttribute, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, MeshDepthMaterial, MeshStandardMaterial, RGBADepthPacking,
  type WebGLProgramParametersWithUniforms,
} from "three";

export interface Coil {
  helix: Float32Array; // centre line: x and y in coil radii, z from 0 to 1
  slope: Float32Array; // its derivative
  turn: Float32Array; // cosine and sine of the angle reached
  around: Float32Array; // cosine and sine around the wire
  indices: Uint16Array;
}

const lead = 0.12; // share of the length that is straight at either end

export function coil(turns: number, steps: number, sides: number): Coil {
  const rings = turns * steps + 1;
  const out: Coil = {
    helix: new Float32Array(3 * rings * sides),
    slope: new Float32Array(3 * rings * sides),
    turn: new Float32Array(2 * rings * sides),
    around: new Float32Array(2 * rings * sides),
    indices: new Uint16Array(6 * (rings - 1) * sides),
  };
  for (let i = 0; i < rings; ++i) {
    const s = i / (rings - 1);
    const angle = 2 * Math.PI * turns * s;
    const rate = 2 * Math.PI * turns;
    // The radius grows from nothing to all within a lead, smoothly.
    const u = Math.min(1, Math.min(s, 1 - s) / lead);
    const radius = u * u * (3 - 2 * u);
    const growth = u < 1 ? ((6 * u * (1 - u)) / lead) * (s < 0.5 ? 1 : -1) : 0;
    const [c, n] = [Math.cos(angle), Math.sin(angle)];
    for (let j = 0; j < sides; ++j) {
      const v = i * sides + j;
      const wire = (2 * Math.PI * j) / sides;
      out.helix.set([radius * c, radius * n, s], 3 * v);
      out.slope.set([growth * c - radius * rate * n, growth * n + radius * rate * c, 1], 3 * v);
      out.turn.set([c, n], 2 * v);
      out.around.set([Math.cos(wire), Math.sin(wire)], 2 * v);
      if (i + 1 < rings) {
        const right = i * sides + ((j + 1) % sides);
        out.indices.set([v, v + sides, right, right, v + sides, right + sides], 6 * v);
      }
    }
  }
  return out;
}

const declarations = `
attribute vec3 slope;
attribute vec2 turn;
attribute vec2 around;
attribute vec3 fromEnd;
attribute vec3 toEnd;
attribute vec3 sideways;
attribute vec2 thickness;  // of the coil, of the wire
`;
const bend = `
vec3 coilZ = toEnd - fromEnd;
float coilLength = max(length(coilZ), 1e-9);
coilZ /= coilLength;
vec3 coilX = normalize(sideways - coilZ * dot(sideways, coilZ) + 1e-6 * coilZ.yzx);
vec3 coilY = cross(coilZ, coilX);
mat3 coilFrame = mat3(coilX * thickness.x, coilY * thickness.x, coilZ * coilLength);
vec3 coilTangent = normalize(coilFrame * slope);
vec3 coilOut = coilX * turn.x + coilY * turn.y;
coilOut = normalize(coilOut - coilTangent * dot(coilOut, coilTangent));
vec3 wireNormal = coilOut * around.x + cross(coilTangent, coilOut) * around.y;
`;
function bent(shader: WebGLProgramParametersWithUniforms): void {
  const isLit = !shader.vertexShader.includes("vHighPrecisionZW"); // that is the depth pass
  shader.vertexShader = shader.vertexShader.replace("#include <common>", `#include <common>${declarations}`);
  if (isLit) shader.vertexShader = shader.vertexShader.replace("#include <beginnormal_vertex>", `${bend}\nvec3 objectNormal = wireNormal;`);
  shader.vertexShader = shader.vertexShader.replace(
    "#include <begin_vertex>",
    `${isLit ? "" : bend}\nvec3 transformed = fromEnd + coilFrame * position + thickness.y * wireNormal;`,
  );
}

export class Springs {
  readonly mesh: Mesh;
  private readonly geometry = new InstancedBufferGeometry();
  private readonly material = new MeshStandardMaterial({ roughness: 0.35, metalness: 0.5, color: "#a7b2c0" });
  private capacity = 0;
  private ends!: { from: InstancedBufferAttribute; to: InstancedBufferAttribute; side: InstancedBufferAttribute; thickness: InstancedBufferAttribute };

  constructor() {
    this.material.onBeforeCompile = bent;
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.customDepthMaterial = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
    this.mesh.customDepthMaterial.onBeforeCompile = bent;
    this.mesh.castShadow = true;
    this.mesh.frustumCulled = false;
    this.reserve(0);
  }

  reserve(count: number): void {
    this.geometry.dispose();
    const shape = coil(count > 30 ? 9 : 12, count > 30 ? 9 : 16, count > 30 ? 4 : 7);
    this.geometry.setAttribute("position", new BufferAttribute(shape.helix, 3));
    this.geometry.setAttribute("slope", new BufferAttribute(shape.slope, 3));
    this.geometry.setAttribute("turn", new BufferAttribute(shape.turn, 2));
    this.geometry.setAttribute("around", new BufferAttribute(shape.around, 2));
    this.geometry.setIndex(new BufferAttribute(shape.indices, 1));
    this.capacity = Math.max(1, count);
    const make = (width: number) => new InstancedBufferAttribute(new Float32Array(width * this.capacity), width).setUsage(DynamicDrawUsage) as InstancedBufferAttribute;
    this.ends = { from: make(3), to: make(3), side: make(3), thickness: make(2) };
    this.geometry.setAttribute("fromEnd", this.ends.from);
    this.geometry.setAttribute("toEnd", this.ends.to);
    this.geometry.setAttribute("sideways", this.ends.side);
    this.geometry.setAttribute("thickness", this.ends.thickness);
    this.begin();
    this.end();
  }

  begin(): void {
    this.geometry.instanceCount = 0;
  }
  // `side`: a direction that is not along it, and that moves with what it hangs from.
  put(from: Float32Array, to: Float32Array, side: Float32Array, radius: number, wire: number): void {
    const i = this.geometry.instanceCount;
    if (i >= this.capacity) return;
    this.ends.from.array.set(from, 3 * i);
    this.ends.to.array.set(to, 3 * i);
    this.ends.side.array.set(side, 3 * i);
    this.ends.thickness.array[2 * i] = radius;
    this.ends.thickness.array[2 * i + 1] = wire;
    this.geometry.instanceCount = i + 1;
  }
  end(): void {
    this.mesh.visible = this.geometry.instanceCount > 0;
    if (!this.mesh.visible) return;
    for (const attribute of Object.values(this.ends)) attribute.needsUpdate = true;
  }
}
