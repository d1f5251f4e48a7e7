// The sky: one function of the direction, drawn behind everything and reflected by what shines. The sun in it is the sun
// that casts the shadows.
import { Color, Mesh, PlaneGeometry, ShaderMaterial, Vector3, type PerspectiveCamera } from "three";
import { fieldOfView } from "./orbit";
import type { Palette } from "./palette";

export const sunlight = new Vector3(0.62, -0.5, 0.85).normalize(); // towards the sun

const vertexShader = `
varying vec3 vRay;
uniform mat3 turn;  // of the camera
uniform vec2 spread;
void main() {
  vRay = turn * vec3(position.xy * spread, -1.0);
  gl_Position = vec4(position.xy, 1.0, 1.0);
}`;
const fragmentShader = `
varying vec3 vRay;
uniform vec3 zenith, horizon, below, glow, sun;
void main() {
  vec3 d = normalize(vRay);
  vec3 colour = d.z > 0.0 ? mix(zenith, horizon, exp(-4.5 * d.z)) : mix(below, horizon, exp(9.0 * d.z));
  float towards = max(0.0, dot(d, sun));
  // The disc, its halo, and the brightness around it.
  colour += glow * (0.9 * smoothstep(0.9990, 0.9994, towards) + 0.35 * pow(towards, 200.0) + 0.16 * pow(towards, 12.0)) * smoothstep(-0.05, 0.02, d.z);
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;

export class Sky {
  readonly mesh: Mesh;
  private readonly material = new ShaderMaterial({
    vertexShader,
    fragmentShader,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
    uniforms: {
      turn: { value: null },
      spread: { value: [1, 1] },
      sun: { value: sunlight },
      zenith: { value: new Color() },
      horizon: { value: new Color() },
      below: { value: new Color() },
      glow: { value: new Color() },
    },
  });

  constructor() {
    this.mesh = new Mesh(new PlaneGeometry(2, 2), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -100;
  }

  dress(palette: Palette): void {
    const set = (name: string, colour: string) => (this.material.uniforms[name]!.value as Color).set(colour);
    set("zenith", palette.skyTop);
    set("horizon", palette.skyBottom);
    set("below", palette.ground);
    set("glow", palette.glow);
  }

  // As wide as usual whatever the camera's field of view: seen from afar through a narrow one, a sky would have one colour.
  look(camera: PerspectiveCamera): void {
    const tall = Math.tan((fieldOfView * Math.PI) / 360);
    this.material.uniforms["spread"]!.value = [tall * camera.aspect, tall];
    const m = camera.matrixWorld.elements;
    this.material.uniforms["turn"]!.value = [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]];
  }
}

// What shining things see of it, 4 numbers a texel, rows from below to above: brighter and softer than what is drawn, with a
// second, weaker light from behind, so that edges stand out from the dark side.
export function surroundings(width: number, height: number): Float32Array {
  const data = new Float32Array(4 * width * height);
  const rim = new Vector3(-sunlight.x, -sunlight.y, 0.35).normalize();
  const d = new Vector3();
  for (let row = 0; row < height; ++row) {
    const up = ((row + 0.5) / height - 0.5) * Math.PI;
    for (let column = 0; column < width; ++column) {
      const around = ((column + 0.5) / width - 0.5) * 2 * Math.PI;
      d.set(Math.cos(up) * Math.cos(around), -Math.cos(up) * Math.sin(around), Math.sin(up));
      const lamp = 4 * Math.exp(-(1 - d.dot(sunlight)) / 0.035) + 1.2 * Math.exp(-(1 - d.dot(rim)) / 0.08);
      const level = d.z > 0 ? 0.62 + 0.45 * d.z : 0.46 + 0.16 * d.z;
      const blue = d.z > 0 ? 0.08 * d.z : -0.03;
      data.set([level * (1 - blue) + lamp, level + lamp, level * (1 + blue) + 0.92 * lamp, 1], 4 * (row * width + column));
    }
  }
  return data;
}
