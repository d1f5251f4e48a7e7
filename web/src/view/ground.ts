// Planes without end, and the grid: one instanced quad each that goes along with the camera and fades out.
//
// A slope without end would look like a floor: it is drawn as a ramp, cut out around what is looked at, with its sides down to a
// level. It goes along too, so that what slides never leaves it; its grid stays.
//
// Where the scene has no plane to stand on, the grid lies below it on nothing: only its lines and shadows are seen.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, InstancedBufferAttribute, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial, PlaneGeometry, ShaderMaterial, UniformsLib, UniformsUtils,
  Vector3, type Object3D,
} from "three";
import type { Palette } from "./palette";
import { localFrame, roundUp, writeMatrix } from "./math";
import type { Part } from "./parts";

const vertexShader = `
#include <common>
#include <shadowmap_pars_vertex>
attribute vec4 look;  // solid; halves of its length and width (0: without end); 1: cut out around what is looked at
uniform vec3 middle;  // of the scene
uniform vec3 centre;  // where the camera looks at
uniform float far;
varying vec2 vPlace;
varying vec2 vCentre;
varying vec4 vLook;
varying vec3 vWorld;
void main() {
  mat4 m = modelMatrix * instanceMatrix;
  mat3 turn = mat3(m);
  vec3 around = look.y > 0.0 && look.w < 0.5 ? middle : centre;
  vCentre = (transpose(turn) * (around - m[3].xyz)).xy;
  vPlace = vCentre + position.xy * (look.y > 0.0 ? look.yz : vec2(far));
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
varying vec4 vLook;
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
    vec2 off = abs(vPlace - vCentre) / vLook.yz;
    fade = vLook.w > 0.5 ? 1.0 : 1.0 - smoothstep(0.6, 1.0, max(off.x, off.y));
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
  private readonly earth = new MeshStandardMaterial({ roughness: 1, side: DoubleSide });
  private mesh: InstancedMesh | null = null;
  private planes: { body: number; local: Float32Array; isGrid: boolean }[] = [];
  private ramps: Ramp[] = [];

  // With the bodies where they are at the start, to know walls from floors. `below`: m, where a grid may lie without cutting anything.
  build(parent: Object3D, parts: Part[], frames: Float32Array, low: Vector3, high: Vector3, below: number): void {
    this.clear();
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const radius = low.distanceTo(high) / 2;
    const looks: number[] = [];
    const matrix = new Float32Array(16);
    let hasGround = false;
    for (const part of parts) {
      writeMatrix(frames, 12 * part.frame, part.local, 0, matrix, 0);
      const level = matrix[10]!; // z of the normal
      const isWall = level < 0.5;
      if (!isWall) hasGround = true;
      if (!isWall && level < 0.9985 && part.body === 0) {
        const ramp = new Ramp(matrix, radius, this.earth);
        this.ramps.push(ramp);
        parent.add(ramp.mesh);
        this.planes.push({ body: 0, local: ramp.frame, isGrid: false });
        looks.push(1, ramp.long, ramp.wide, 1);
        continue;
      }
      this.planes.push({ body: part.body, local: part.local, isGrid: false });
      // Walls would hide all else: they end soon.
      const span = isWall ? 1.4 * radius : 0;
      looks.push(1, span, span, 0);
    }
    this.gap = 0.02 * radius;
    if (!hasGround) {
      this.planes.push({ body: 0, local: localFrame([0, 0, below - this.gap, 1, 0, 0, 0], [1, 1, 1]), isGrid: true });
      looks.push(0, 0, 0, 0);
    }
    if (this.planes.length === 0) return;
    const geometry = this.geometry.clone();
    geometry.setAttribute("look", new InstancedBufferAttribute(new Float32Array(looks), 4));
    this.mesh = new InstancedMesh(geometry, this.material, this.planes.length);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
    parent.add(this.mesh);
    const uniforms = this.material.uniforms;
    uniforms["cell"]!.value = roundUp(radius / 8);
    (uniforms["middle"]!.value as Vector3).copy(middle);
  }

  // A grid that lies below the ground goes down with it.
  sink(below: number): void {
    for (const plane of this.planes) if (plane.isGrid) plane.local[11] = Math.min(plane.local[11]!, below - this.gap);
  }
  private gap = 0; // m, of a grid below all else

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
    this.earth.color.set(palette.section);
    for (const ramp of this.ramps) ramp.place(target);
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
    for (const ramp of this.ramps) ramp.dispose();
    this.ramps = [];
    this.planes = [];
  }
}

// The sides of a slope below its surface: triangles on either side, and the wall at its upper end.
class Ramp {
  readonly frame = new Float32Array(12); // x goes down the slope, z out of it
  readonly long: number; // halves, m
  readonly wide: number;
  readonly mesh: Mesh;
  private readonly normal: Vector3;
  private readonly origin: Vector3;

  constructor(plane: Float32Array, radius: number, material: MeshStandardMaterial) {
    this.normal = new Vector3(plane[8], plane[9], plane[10]).normalize();
    this.origin = new Vector3(plane[12], plane[13], plane[14]);
    const up = new Vector3(0, 0, 1);
    const across = new Vector3().crossVectors(up, this.normal).normalize();
    const down = new Vector3().crossVectors(across, this.normal);
    [down, across, this.normal, this.origin].forEach((v, column) => v.toArray(this.frame, 3 * column));
    this.long = 2.6 * radius;
    this.wide = 1.1 * radius;
    const high = down.clone().multiplyScalar(-this.long);
    const low = down.clone().multiplyScalar(this.long);
    // A little thickness also where it ends.
    low.z -= 0.06 * radius;
    const foot = new Vector3(high.x, high.y, low.z);
    const end = down.clone().multiplyScalar(this.long);
    const corner = (p: Vector3, side: number) => p.clone().addScaledVector(across, side * this.wide);
    const sheet = (...points: Vector3[]) => points.slice(2).flatMap((p, i) => [points[0]!, points[i + 1]!, p]);
    const corners = [-1, 1].flatMap((side) => sheet(corner(high, side), corner(foot, side), corner(low, side), corner(end, side)));
    corners.push(...sheet(corner(high, -1), corner(foot, -1), corner(foot, 1), corner(high, 1)));
    corners.push(...sheet(corner(end, -1), corner(low, -1), corner(low, 1), corner(end, 1)));
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners.flatMap((p) => p.toArray())), 3));
    geometry.computeVertexNormals();
    this.mesh = new Mesh(geometry, material);
    this.mesh.receiveShadow = true;
    this.mesh.matrixAutoUpdate = false;
    this.mesh.frustumCulled = false;
  }

  // Around the place below what is looked at.
  place(target: Vector3): void {
    const above = target.clone().sub(this.origin).dot(this.normal);
    const at = target.clone().addScaledVector(this.normal, -above);
    this.mesh.matrix.copy(new Matrix4().makeTranslation(at));
    this.mesh.matrixWorldNeedsUpdate = true;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
  }
}
