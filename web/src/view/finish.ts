// What things are made of, as it is seen: metallic, rough, clear, and the pattern of earth, concrete and wood.
import { BackSide, MeshBasicMaterial, MeshStandardMaterial, type WebGLProgramParametersWithUniforms } from "three";

export interface Finish {
  metal: number;
  rough: number;
  color: string | null; // of what has none of its own
  pattern: number; // 0: none, 1: earth, 2: concrete, 3: wood
}

// By the numbers of the protocol.
export const finishes: readonly Finish[] = [
  { metal: 0, rough: 0.5, color: null, pattern: 0 }, // paint
  { metal: 0.8, rough: 0.34, color: "#b9c0c8", pattern: 0 },
  { metal: 0, rough: 0.92, color: "#2c2e31", pattern: 0 }, // rubber
  { metal: 0.1, rough: 0.06, color: "#a9cbdc", pattern: 0 }, // glass
  { metal: 0, rough: 1, color: "#94805f", pattern: 1 }, // earth
  { metal: 0, rough: 0.95, color: "#b1afa9", pattern: 2 }, // concrete
  { metal: 0, rough: 0.7, color: "#b58855", pattern: 3 }, // wood
];
export const rubber = 2;
export const glass = 3;
export const earth = 4;
export const sketched: Finish = { metal: 0.55, rough: 0.36, color: null, pattern: 0 };

// A value between 0 and 1 for every place, smooth between those of whole numbers.
const patterns = `
float chance(vec3 p) {
  p = fract(p * 0.3183099 + vec3(0.71, 0.113, 0.419));
  p *= 17.0;
  return fract(p.x * p.y * p.z * (p.x + p.y + p.z));
}
float grain(vec3 x) {
  vec3 i = floor(x), f = fract(x);
  f = f * f * (3.0 - 2.0 * f);
  return mix(
    mix(mix(chance(i), chance(i + vec3(1, 0, 0)), f.x), mix(chance(i + vec3(0, 1, 0)), chance(i + vec3(1, 1, 0)), f.x), f.y),
    mix(mix(chance(i + vec3(0, 0, 1)), chance(i + vec3(1, 0, 1)), f.x), mix(chance(i + vec3(0, 1, 1)), chance(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}
vec3 patterned(vec3 colour, int kind, vec3 place, float cell, float lean) {
  vec3 p = place / cell;
  // Grain that is finer than a pixel is left out.
  float pixel = length(fwidth(p));
  float fine = 1.0 - smoothstep(0.15, 0.6, pixel);
  float coarse = 1.0 - smoothstep(1.5, 6.0, pixel);
  if (kind == 1) {
    float a = grain(p * 0.35), b = grain(p * 3.1);
    vec3 turf = colour * vec3(0.72, 0.9, 0.62);
    vec3 soil = mix(colour, turf, smoothstep(0.35, 0.75, a) * smoothstep(0.8, 0.97, lean) * coarse);
    return soil * (1.0 + coarse * 0.3 * (a - 0.5) + fine * 0.34 * (b - 0.5));
  }
  if (kind == 2) return colour * (1.0 + 0.14 * coarse * (grain(p * 0.7) - 0.5) + 0.12 * fine * (grain(p * 7.0) - 0.5));
  float ring = length(p.xy + 0.35 * vec2(grain(p * 0.6), grain(p * 0.6 + 9.0)));
  return colour * (1.0 + fine * 0.22 * (0.5 - abs(fract(3.0 * ring) - 0.5) * 2.0) + 0.12 * (grain(p * vec3(6.0, 6.0, 0.7)) - 0.5));
}`;

// How an instance looks beyond its colour: x: without quarters, y: metallic, z: rough, w: its pattern. Patterns make a shader that
// takes long to compile without a graphics card: only scenes that have some need it.
export function withLook(material: MeshStandardMaterial, hasPattern: boolean): MeshStandardMaterial {
  const cell = { value: 1 };
  material.userData["cell"] = cell;
  material.customProgramCacheKey = () => `look ${hasPattern}`;
  material.onBeforeCompile = (shader) => {
    shader.uniforms["cell"] = cell;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec4 look;\nvarying vec3 vSurface;\nvarying vec3 vPlace;\nvarying float vLean;")
      .replace(
        "#include <color_vertex>",
        `vColor = instanceColor * mix(color, vec3(1.0), look.x);
        vSurface = look.yzw;
        // In the body, at its true size.
        mat3 turn = mat3(instanceMatrix);
        vPlace = position * vec3(length(turn[0]), length(turn[1]), length(turn[2]));
        vLean = normalize(turn * normal).z;`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\nvarying vec3 vSurface;\nvarying vec3 vPlace;\nvarying float vLean;\nuniform float cell;\n${hasPattern ? patterns : ""}`)
      .replace(
        "#include <color_fragment>",
        hasPattern ? "#include <color_fragment>\ndiffuseColor.rgb = patterned(diffuseColor.rgb, int(vSurface.z + 0.5), vPlace, cell, vLean);" : "#include <color_fragment>",
      )
      .replace("#include <roughnessmap_fragment>", "float roughnessFactor = vSurface.y;")
      .replace("#include <metalnessmap_fragment>", "float metalnessFactor = vSurface.x;");
  };
  return material;
}
// m, of the patterns' grain.
export function setGrain(material: MeshStandardMaterial, cell: number): void {
  (material.userData["cell"] as { value: number }).value = cell;
}

// Soil that was moved, beside what was there before: `vChange` is by how much it is higher, in cells, and how much it or its
// neighbours differ. What is cut is darker than what was filled. The vertex shader gives vPlace, vLean and vChange.
export function withSoil(shader: WebGLProgramParametersWithUniforms, pattern: number): void {
  shader.fragmentShader = shader.fragmentShader
    .replace(
      "#include <common>",
      `#include <common>
      varying vec3 vPlace;
      varying float vLean;
      varying vec2 vChange;
      uniform vec3 soil;
      uniform float cell;
      uniform float clod;
      ${patterns}
      vec3 clods(vec3 colour, vec3 place) {
        vec3 p = place / clod;
        float fine = 1.0 - smoothstep(0.3, 1.2, length(fwidth(p)));
        float coarse = 1.0 - smoothstep(1.2, 5.0, length(fwidth(p)));
        return colour * (1.0 + fine * 0.4 * (grain(p) - 0.5) + coarse * 0.3 * (grain(0.23 * p) - 0.5));
      }`,
    )
    .replace(
      "#include <color_fragment>",
      `#include <color_fragment>
      ${pattern ? `diffuseColor.rgb = patterned(diffuseColor.rgb, ${pattern}, vPlace, cell, vLean);` : ""}
      float moved = smoothstep(0.04, 0.4, vChange.y);
      if (moved > 0.0) diffuseColor.rgb = mix(diffuseColor.rgb, clods(soil * mix(0.72, 1.0, smoothstep(-0.2, 0.2, vChange.x)), vPlace), moved);`,
    );
}
// m, of the lumps of soil over a grid of this spacing.
export const clodOf = (spacing: number): number => 0.9 * spacing;
// By the protocol's number; 0: nobody says.
export const soilColour = (color: number): number => color || 0x7d6142;

// The backs of a shape that is thicker by some pixels: what is seen of them is a rim.
export function rim(isConvex: boolean): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ side: BackSide, toneMapped: false });
  // Hard edges have no normal between the faces; away from the middle there is always one.
  const away = isConvex ? "position" : "normal";
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace(
      "#include <project_vertex>",
      `#include <project_vertex>
      vec3 away = normalize(normalMatrix * mat3(instanceMatrix) * ${away});
      mvPosition.xyz += away * ${rimWidth} * -mvPosition.z;
      gl_Position = projectionMatrix * mvPosition;`,
    );
  };
  return material;
}
const rimWidth = "0.0035"; // of the distance: some two pixels
