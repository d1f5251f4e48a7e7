// Renderer, light and background.
import {
  Color, DataTexture, DirectionalLight, EquirectangularReflectionMapping, FloatType, HemisphereLight, LinearFilter, NeutralToneMapping, PCFShadowMap, PCFSoftShadowMap,
  PMREMGenerator, PerspectiveCamera, RGBAFormat, Scene, Vector3, WebGLRenderer, type Material, type Mesh, type Texture,
} from "three";
import { fieldOfView } from "./orbit";
import type { Palette } from "./palette";
import { isDrawnSlowly, type Quality } from "./quality";
import { Sky, sunlight, surroundings } from "./sky";

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.1, 100);
  private readonly sun = new DirectionalLight("#fff4e4", 2);
  private readonly dim = new HemisphereLight("#ffffff", "#8c8f94", 1);
  private readonly sky = new Sky();
  private environment: Texture | null = null;
  private shadowSize = 0;
  private readonly sunX = new Vector3();
  private readonly sunY = new Vector3();
  private readonly before = new Vector3();

  // Throws if there is no WebGL 2.
  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false;
    // The shadow pass counts too.
    this.renderer.info.autoReset = false;
    // A processor that has to do the graphics card's work gets less of it.
    const context = this.renderer.getContext();
    const maker = context.getExtension("WEBGL_debug_renderer_info");
    const name = String(context.getParameter(maker ? maker.UNMASKED_RENDERER_WEBGL : context.RENDERER));
    isDrawnSlowly.value = /swiftshader|llvmpipe|software/i.test(name);
    this.scene.add(this.sky.mesh, this.sun, this.sun.target, this.dim);
    this.sunX.crossVectors(new Vector3(0, 0, 1), sunlight).normalize();
    this.sunY.crossVectors(sunlight, this.sunX);
    this.makeEnvironment();
  }

  // Another one may need other shaders: seldom, and then for all.
  refine(quality: Quality): void {
    this.renderer.setPixelRatio(Math.min(quality.ratio, window.devicePixelRatio || 1));
    const type = quality.isSoft ? PCFSoftShadowMap : PCFShadowMap;
    if (type !== this.renderer.shadowMap.type) {
      this.renderer.shadowMap.type = type;
      this.scene.traverse((object) => {
        const { material } = object as Mesh;
        for (const each of material ? ([material].flat() as Material[]) : []) each.needsUpdate = true;
      });
    }
    this.sun.castShadow = quality.shadow > 0;
    if (quality.shadow > 0 && this.sun.shadow.mapSize.x !== quality.shadow) {
      this.sun.shadow.mapSize.setScalar(quality.shadow);
      this.sun.shadow.map?.dispose();
      this.sun.shadow.map = null;
      this.shadowSize = 0;
    }
    this.moved();
  }

  // Metal needs something to reflect. Again after a lost context, which took the old one with it.
  makeEnvironment(): void {
    const [width, height] = [128, 64];
    const data = surroundings(width, height);
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
    // The texture's y is up, ours is z.
    this.scene.environmentRotation.set(Math.PI / 2, 0, 0);
  }

  dress(palette: Palette): void {
    this.sky.dress(palette);
    this.sun.intensity = palette.sun;
    this.dim.intensity = 0.5 * palette.fill;
    this.scene.environmentIntensity = 0.75 * palette.fill;
    this.dim.groundColor = new Color(palette.ground).multiplyScalar(0.6);
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
    this.sky.look(this.camera);
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
