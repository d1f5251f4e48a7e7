// Planes without end, and the grid: one instanced quad each that goes along with the camera and fades out.
//
// Where the scene has no plane to stand on, the grid lies below it on nothing: only its lines and shadows are seen.
import { DoubleSide, InstancedBufferAttribute, InstancedMesh, PlaneGeometry, ShaderMaterial, UniformsLib, UniformsUtils, Vector3, Color } from "three";
import type { Palette } from "./palette";
import { localFrame, roundUp, writeMatrix } from "./math";
import type { Part } from "./parts";

const vertexShader = `
#include <common>
#include <shadowmap_pars_vertex>
attribute vec2 look;  // solid, span (0: without end)
uniform vec3 middle;  // of the scene
uniform vec3 centre;  // where the camera looks at
uniform float far;
varying vec2 vPlace;
varying vec2 vCentre;
varying vec2 vLook;
varying vec3 vWorld;
void main() {
  mat4 m = modelMatrix * instanceMatrix;
  mat3 turn = mat3(m);
  vec3 around = look.y > 0.0 ? middle : centre;
  vCentre = (transpose(turn) * (around - m[3].xyz)).xy;
  vPlace = vCentre + position.xy * (look.y > 0.0 ? look.y : far);
  vLook = look;
  vec4 worldPosition = m * vec4(vPlace, 0.0, 1.0);
  vWorld = worldPosition.xyz;
  vec3 transformedNormal = normalMatrix * (turn * vec3(0.0, 0.0, 1.0));
  #include <shadowmap_vertex>
  gl_Position = projectionMatrix * viewMatrix * worldPosition;
}`;

const fragmentShader = `
#include <common>
#include <packing>
#include <lights_pars_begin>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
uniform vec3 ground;
uniform vec3 lineColour;
uniform float cell;
uniform float gridShown;
uniform float far;
uniform float farther;  // m that the eye is back because of a narrow field of view
uniform float shadowDepth;
varying vec2 vPlace;
varying vec2 vCentre;
varying vec2 vLook;
varying vec3 vWorld;

// Coverage of lines at whole numbers, some pixels wide, gone where they would flicker.
float lines(vec2 place, float width) {
  vec2 pixel = max(fwidth(place), vec2(1e-6));
  vec2 gap = abs(fract(place - 0.5) - 0.5) / pixel;
  vec2 cover = clamp(0.5 * width + 0.5 - gap, 0.0, 1.0);
  vec2 calm = 1.0 - smoothstep(0.1, 0.4, pixel);
  return max(cover.x * calm.x, cover.y * calm.y);
}
// A chequer, smoothed over a pixel.
float chequer(vec2 place) {
  vec2 pixel = max(fwidth(place), vec2(1e-6));
  vec2 a = abs(fract((place - 0.5 * pixel) * 0.5) - 0.5);
  vec2 b = abs(fract((place + 0.5 * pixel) * 0.5) - 0.5);
  vec2 wave = clamp(2.0 * (a - b) / pixel, -1.0, 1.0);
  return 0.5 + 0.5 * wave.x * wave.y;
}
void main() {
  float lit = getShadowMask();
  float shadow = (1.0 - lit) * shadowDepth;
  float fine = lines(vPlace / cell, 1.0) * 0.35;
  float coarse = lines(vPlace / (5.0 * cell), 1.4) * 0.6;
  float line = max(fine, coarse) * gridShown;
  float away = max(0.0, length(vWorld - cameraPosition) - farther) / far;
  float fade = 1.0 - smoothstep(0.18, 0.95, away);
  if (vLook.y > 0.0) {
    vec2 off = abs(vPlace - vCentre) / vLook.y;
    fade = 1.0 - smoothstep(0.6, 1.0, max(off.x, off.y));
  }
  vec3 base = ground * (0.97 + 0.05 * chequer(vPlace / cell) * gridShown);
  base = mix(base, lineColour, 0.45 * line);
  vec3 colour = base * (1.0 - shadow);
  float alpha = fade;
  if (vLook.x < 0.5) {
    // Only lines and shadows.
    float cover = max(0.5 * line, 0.6 * shadow);
    colour = mix(vec3(0.0), lineColour, (0.5 * line) / max(cover, 1e-4) * (1.0 - shadow));
    alpha = fade * cover;
  }
  if (!gl_FrontFacing) alpha *= 0.25;
  gl_FragColor = vec4(colour, alpha);
  #include <colorspace_fragment>
}`;

export class Ground {
  private readonly material = new ShaderMaterial({
    vertexShader,
    fragmentShader,
    lights: true,
    transparent: true,
    side: DoubleSide,
    uniforms: UniformsUtils.merge([
      UniformsLib.lights,
      {
        ground: { value: new Color() },
        lineColour: { value: new Color() },
        cell: { value: 1 },
        gridShown: { value: 1 },
        far: { value: 100 },
        farther: { value: 0 },
        shadowDepth: { value: 0.45 },
        centre: { value: new Vector3() },
        middle: { value: new Vector3() },
      },
    ]),
  });
  private readonly geometry = new PlaneGeometry(2, 2);
  mesh: InstancedMesh | null = null;
  private planes: { body: number; local: Float32Array; isGrid: boolean }[] = [];

  // With the bodies where they are at the start, to know walls from floors.
  build(parts: Part[], frames: Float32Array, low: Vector3, high: Vector3, mayHaveGrid = true): void {
    this.clear();
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const radius = low.distanceTo(high) / 2;
    const looks: number[] = [];
    const matrix = new Float32Array(16);
    let hasGround = false;
    for (const part of parts) {
      writeMatrix(frames, 12 * part.body, part.local, 0, matrix, 0);
      const level = matrix[10]!; // z of the normal
      const isWall = level < 0.5;
      if (!isWall) hasGround = true;
      this.planes.push({ body: part.body, local: part.local, isGrid: false });
      // Walls would hide all else: they end soon.
      looks.push(1, isWall ? 1.4 * radius : 0);
    }
    if (!hasGround && mayHaveGrid) {
      this.planes.push({ body: 0, local: localFrame([0, 0, low.z - 0.02 * radius, 1, 0, 0, 0], [1, 1, 1]), isGrid: true });
      looks.push(0, 0);
    }
    if (this.planes.length === 0) return;
    const geometry = this.geometry.clone();
    geometry.setAttribute("look", new InstancedBufferAttribute(new Float32Array(looks), 2));
    this.mesh = new InstancedMesh(geometry, this.material, this.planes.length);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
    const uniforms = this.material.uniforms;
    uniforms["cell"]!.value = roundUp(radius / 8);
    (uniforms["middle"]!.value as Vector3).copy(middle);
  }

  place(frames: Float32Array): void {
    if (!this.mesh) return;
    const out = this.mesh.instanceMatrix.array as Float32Array;
    this.planes.forEach((plane, i) => writeMatrix(frames, 12 * plane.body, plane.local, 0, out, 16 * i));
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  // What it looks like now; `isGridShown` hides a grid that lies on nothing altogether.
  look(palette: Palette, isGridShown: boolean, target: Vector3, far: number, farther: number): void {
    const uniforms = this.material.uniforms;
    (uniforms["ground"]!.value as Color).set(palette.ground);
    (uniforms["lineColour"]!.value as Color).set(palette.groundLine);
    uniforms["gridShown"]!.value = isGridShown ? 1 : 0;
    uniforms["far"]!.value = far;
    uniforms["farther"]!.value = farther;
    (uniforms["centre"]!.value as Vector3).copy(target);
    if (this.mesh) {
      const last = this.planes[this.planes.length - 1];
      this.mesh.count = this.planes.length - (last?.isGrid && !isGridShown ? 1 : 0);
      this.mesh.visible = this.mesh.count > 0;
    }
  }

  clear(): void {
    this.mesh?.geometry.dispose();
    this.mesh?.dispose();
    this.mesh?.removeFromParent();
    this.mesh = null;
    this.planes = [];
  }
}
