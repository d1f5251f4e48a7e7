// Materials of meshes whose files say how they look, with their images. These are decoded beside the page; until they are there,
// things have their plain colours.
import { DoubleSide, FrontSide, MeshStandardMaterial, NoColorSpace, RepeatWrapping, SRGBColorSpace, Texture } from "three";
import type { Scene } from "../core/client";
import { notify } from "../core/store";

type Slot = "map" | "normalMap" | "metalnessMap" | "roughnessMap" | "emissiveMap";

// The same bytes are the same image, also in a scene that is sent anew.
function nameOf(bytes: Uint8Array): string {
  let hash = 2166136261;
  const stride = Math.max(1, Math.floor(bytes.length / 4096));
  for (let i = 0; i < bytes.length; i += stride) hash = Math.imul(hash ^ bytes[i]!, 16777619);
  return `${bytes.length} ${hash >>> 0}`;
}

export class Paints {
  materials: MeshStandardMaterial[] = [];
  private textures = new Map<string, Promise<Texture>>();

  // `changed`: something is to be drawn otherwise than before.
  constructor(private readonly changed: () => void) {}

  build(scene: Scene): void {
    for (const material of this.materials) material.dispose();
    const before = this.textures;
    this.textures = new Map();
    this.materials = scene.paints.map((paint) => {
      const [red = 1, green = 1, blue = 1, opacity = 1] = paint.color ?? [];
      const material = new MeshStandardMaterial({
        metalness: paint.metalness ?? 0,
        roughness: paint.roughness ?? 0,
        opacity: paint.is_clear ? opacity : 1,
        transparent: paint.is_clear ?? false,
        depthWrite: !paint.is_clear,
        alphaTest: paint.least_opacity ?? 0,
        side: paint.has_two_sides ? DoubleSide : FrontSide,
      });
      material.color.setRGB(red, green, blue);
      material.emissive.fromArray(paint.glow?.length === 3 ? paint.glow : [0, 0, 0]);
      const use = (index: number | null | undefined, space: string, ...slots: Slot[]) => {
        const bytes = index === null || index === undefined ? undefined : scene.images[index];
        if (!bytes) return;
        const name = `${nameOf(bytes)} ${space}`;
        const texture = this.textures.get(name) ?? before.get(name) ?? load(bytes, space);
        this.textures.set(name, texture);
        texture.then(
          (loaded) => {
            for (const slot of slots) material[slot] = loaded;
            material.needsUpdate = true;
            this.changed();
          },
          () => notify("An image of this scene is damaged; what has it is drawn without."),
        );
      };
      use(paint.color_image, SRGBColorSpace, "map");
      use(paint.surface_image, NoColorSpace, "metalnessMap", "roughnessMap");
      use(paint.normal_image, NoColorSpace, "normalMap");
      use(paint.glow_image, SRGBColorSpace, "emissiveMap");
      return material;
    });
    for (const [name, texture] of before) if (!this.textures.has(name)) texture.then((unused) => unused.dispose(), () => undefined);
  }

  clear(): void {
    this.build({ paints: [], images: [] } as unknown as Scene);
  }
}

async function load(bytes: Uint8Array, space: string): Promise<Texture> {
  const picture = await createImageBitmap(new Blob([bytes.slice()]), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  const texture = new Texture(picture);
  texture.flipY = false; // places are counted from the upper left
  texture.colorSpace = space;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.anisotropy = 4;
  texture.needsUpdate = true;
  return texture;
}
