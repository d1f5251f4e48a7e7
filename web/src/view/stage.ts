// Renderer, light and background.
import {
  CanvasTexture, Color, DataTexture, DirectionalLight, EquirectangularReflectionMapping, FloatType, HemisphereLight, LinearFilter, NeutralToneMapping, PCFShadowMap, PCFSoftShadowMap,
  PMREMGenerator, PerspectiveCamera, RGBAFormat, Scene, SRGBColorSpace, Vector3, WebGLRenderer, type Texture,
} from "three";
import { fieldOfView } from "./orbit";
import type { Palette } from "./palette";

const sunlight = new Vector3(0.45, -0.55, 1).normalize(); // towards the sun

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.1, 100);
  private readonly sun = new DirectionalLight("#fff6ea", 2);
  private readonly sky = new HemisphereLight("#ffffff", "#8c8f94", 1);
  private environment: Texture | null = null;
  private shadowSize = 0;
  private readonly sunX = new Vector3();
  private readonly sunY = new Vector3();
  private readonly before = new Vector3();

  // Throws if there is no WebGL 2.
  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    // The shadow pass counts too.
    this.renderer.info.autoReset = false;
    this.sun.castShadow = true;
    // A processor that has to do the graphics card's work gets less of it.
    const context = this.renderer.getContext();
    const maker = context.getExtension("WEBGL_debug_renderer_info");
    const name = String(context.getParameter(maker ? maker.UNMASKED_RENDERER_WEBGL : context.RENDERER));
    const isSlow = /swiftshader|llvmpipe|software/i.test(name);
    this.sun.shadow.mapSize.setScalar(isSlow ? 1024 : 2048);
    if (isSlow) this.renderer.shadowMap.type = PCFShadowMap;
    this.scene.add(this.sun, this.sun.target, this.sky);
    this.sunX.crossVectors(new Vector3(0, 0, 1), sunlight).normalize();
    this.sunY.crossVectors(sunlight, this.sunX);
    this.makeEnvironment();
  }

  // A plain studio: bright above with a soft lamp, dim below. Metal needs something to reflect. Again after
  // a lost context, which took the old one with it.
  makeEnvironment(): void {
    const [width, height] = [128, 64];
    const data = new Float32Array(4 * width * height);
    for (let row = 0; row < height; ++row) {
      // Rows go from below to above; the texture's y is up, ours is z: turned by environmentRotation.
      const z = Math.sin(((row + 0.5) / height - 0.5) * Math.PI);
      for (let column = 0; column < width; ++column) {
        const angle = (column / width) * 2 * Math.PI;
        const level = z > 0 ? 0.55 + 0.6 * z : 0.5 + 0.2 * z;
        const lamp = 5 * Math.exp(-((z - 0.75) ** 2 / 0.02 + (1 - Math.cos(angle - 4)) / 0.12));
        const rim = 1.6 * Math.exp(-((z - 0.3) ** 2 / 0.01 + (1 - Math.cos(angle - 1.2)) / 0.2));
        data.set([level + lamp + rim, level + lamp + rim, 1.04 * level + lamp + rim, 1], 4 * (row * width + column));
      }
    }
    const texture = new DataTexture(data, width, height, RGBAFormat, FloatType);
    texture.mapping = EquirectangularReflectionMapping;
    texture.minFilter = texture.magFilter = LinearFilter;
    texture.needsUpdate = true;
    const generator = new PMREMGenerator(this.renderer);
    this.environment = generator.fromEquirectangular(texture).texture;
    generator.dispose();
    texture.dispose();
    this.scene.environment = this.environment;
    this.moved();
    this.scene.environmentRotation.set(Math.PI / 2, 0, 0);
  }

  dress(palette: Palette): void {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2, 256];
    const context = canvas.getContext("2d")!;
    const gradient = context.createLinearGradient(0, 0, 0, 256);
    gradient.addColorStop(0, palette.skyTop);
    gradient.addColorStop(0.75, palette.skyBottom);
    gradient.addColorStop(1, palette.skyBottom);
    context.fillStyle = gradient;
    context.fillRect(0, 0, 2, 256);
    const texture = new CanvasTexture(canvas);
    texture.colorSpace = SRGBColorSpace;
    if (this.scene.background && "dispose" in this.scene.background) this.scene.background.dispose();
    this.scene.background = texture;
    this.sun.intensity = palette.sun;
    this.sky.intensity = 0.5 * palette.fill;
    this.scene.environmentIntensity = 0.75 * palette.fill;
    this.sky.groundColor = new Color(palette.ground).multiplyScalar(0.6);
  }

  resize(): boolean {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return false;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    return true;
  }

  // The bodies have moved, so their shadows have, too.
  moved(): void {
    this.renderer.shadowMap.needsUpdate = true;
  }

  // Shadows where one looks, as sharp as the map allows. Its place goes in whole texels, its size in steps, or
  // edges would crawl while the camera moves.
  shade(target: Vector3, distance: number, radius: number): void {
    const wanted = Math.min(1.6 * radius, 1.1 * distance);
    const size = Math.pow(Math.SQRT2, Math.ceil(2 * Math.log2(wanted)));
    const texel = (2 * size) / this.sun.shadow.mapSize.x;
    const x = Math.round(target.dot(this.sunX) / texel) * texel;
    const y = Math.round(target.dot(this.sunY) / texel) * texel;
    const z = Math.round(target.dot(sunlight) / texel) * texel;
    const centre = this.sun.target.position;
    const before = this.before.copy(centre);
    centre.set(0, 0, 0).addScaledVector(this.sunX, x).addScaledVector(this.sunY, y).addScaledVector(sunlight, z);
    if (!before.equals(centre) || size !== this.shadowSize) this.moved();
    const reach = 3 * Math.max(size, radius);
    this.sun.position.copy(centre).addScaledVector(sunlight, reach);
    if (size === this.shadowSize) return;
    this.shadowSize = size;
    const camera = this.sun.shadow.camera;
    [camera.left, camera.right, camera.bottom, camera.top] = [-size, size, -size, size];
    [camera.near, camera.far] = [0.01 * reach, 2 * reach];
    camera.up.set(0, 0, 1);
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 1.5 * texel;
    this.sun.shadow.bias = -0.0002;
  }

  render(): { calls: number; triangles: number } {
    this.renderer.info.reset();
    this.renderer.render(this.scene, this.camera);
    return this.renderer.info.render;
  }

  dispose(): void {
    this.environment?.dispose();
    this.renderer.dispose();
    // Browsers keep few contexts; one that waits for the garbage collector counts.
    this.renderer.forceContextLoss();
  }
}
