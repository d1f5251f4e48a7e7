// Height fields, drawn from their heights: a field is a texture on the graphics card, of which changed tiles are replaced, and what is
// drawn are patches of a grid that look up their heights in it. So nothing is built anew when ground changes, and slopes at the
// borders of tiles are those of the field.
//
// Patches are the leaves of a tree: each as fine as its cells are seen. Where a fine one meets a coarse one their edges differ by less
// than a cell's height; skirts along all edges close the gaps.
import {
  Box2, BufferAttribute, Color, DataTexture, DynamicDrawUsage, FloatType, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, MeshDepthMaterial, MeshStandardMaterial, NearestFilter,
  RGBADepthPacking, Group, RGFormat, SRGBColorSpace, Vector2, type IUniform, type WebGLRenderer, type WebGLProgramParametersWithUniforms,
} from "three";
import type { Field } from "../core/ground";
import type { Eye } from "./batch";
import { clodOf, finishes, soilColour, withSoil } from "./finish";
import { pointIn, writeMatrix } from "./math";
import { bodyColour, type Palette } from "./palette";
import { follow, type Part } from "./parts";

const cells = 32; // a side of a patch
const pixelsOfCell = 2.5; // on the screen, at the quality's detail of 1
const mostTilesApart = 64; // changed at once; beyond it the whole texture is sent

// All height fields of a scene.
export class Terrain {
  readonly group = new Group();
  private fields: TerrainField[] = [];

  build(parts: readonly Part[], grain: number): void {
    this.clear();
    for (const part of parts) if (part.field) this.fields.push(new TerrainField(this.group, part, part.field, grain));
  }
  // True if the ground is another than before.
  update(renderer: WebGLRenderer): boolean {
    return this.fields.reduce((isChanged, field) => field.update(renderer) || isChanged, false);
  }
  place(frames: Float32Array, eye: Eye): void {
    for (const field of this.fields) field.place(frames, eye);
  }
  colour(palette: Palette, hovered: number): void {
    for (const field of this.fields) field.colour(palette, field.part.body > 0 && field.part.body === hovered);
  }
  clear(): void {
    for (const field of this.fields) field.dispose();
    this.fields = [];
  }
}

class TerrainField {
  readonly mesh: Mesh;
  private readonly geometry = grid();
  private readonly texture: DataTexture;
  private readonly source: DataTexture; // of copies: the same numbers
  private readonly material: MeshStandardMaterial;
  private readonly depth = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
  private readonly uniforms: Record<string, IUniform>;
  private patches = new InstancedBufferAttribute(new Float32Array(3 * 256), 3).setUsage(DynamicDrawUsage);
  private count = 0;
  private chosen = ""; // from where the patches were chosen
  private seen = 0; // version of the field
  private readonly frame = new Float32Array(12);

  constructor(group: Group, readonly part: Part, readonly field: Field, grain: number) {
    this.texture = textureOf(field);
    this.source = textureOf(field);
    this.texture.needsUpdate = true;
    this.seen = field.version;
    const last = (list: Float32Array) => list[list.length - 1]! - list[list.length - 2]!;
    this.uniforms = {
      heights: { value: this.texture },
      spacing: { value: new Vector2(field.x[1], field.y[1]) },
      lastCell: { value: new Vector2(last(field.x), last(field.y)) },
      soil: { value: new Color() },
      cell: { value: grain },
      clod: { value: clodOf(Math.min(field.x[1]!, field.y[1]!)) },
    };
    const { metal, rough, pattern } = finishes[part.finish]!;
    this.material = new MeshStandardMaterial({ metalness: metal, roughness: rough });
    this.material.customProgramCacheKey = () => `terrain ${pattern}`;
    this.material.onBeforeCompile = (shader) => {
      displace(shader, this.uniforms);
      shader.vertexShader = shader.vertexShader.replace("#include <common>", "#include <common>\nvarying vec3 vPlace;\nvarying float vLean;\nvarying vec2 vChange;").replace(
        "vec3 transformed = fieldPlace;",
        "vec3 transformed = fieldPlace;\nvPlace = transformed;\nvLean = objectNormal.z;\nvChange = vec2(here.y, change) / min(spacing.x, spacing.y);",
      );
      withSoil(shader, pattern);
    };
    this.depth.onBeforeCompile = (shader) => displace(shader, this.uniforms);
    this.geometry.setAttribute("cells", this.patches);
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.customDepthMaterial = this.depth;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.matrixAutoUpdate = false;
    group.add(this.mesh);
  }

  update(renderer: WebGLRenderer): boolean {
    const { field } = this;
    if (field.version === this.seen) return false;
    follow(this.part);
    this.uniforms["soil"]!.value.set(soilColour(field.color));
    const changed: number[] = [];
    field.tiles.version.forEach((version, tile) => version > this.seen && changed.push(tile));
    this.seen = field.version;
    if (changed.length > mostTilesApart) {
      this.texture.needsUpdate = true;
      return true;
    }
    for (let i = 0; i < changed.length; ++i) {
      // Neighbours in a row go together.
      const { column, row, rows } = field.area(changed[i]!);
      let end = column;
      for (;; ++i) {
        const { columns } = field.area(changed[i]!);
        end += columns;
        if (changed[i + 1] !== changed[i]! + 1 || end === field.columns) break;
      }
      const area = new Box2(new Vector2(column, row), new Vector2(end, row + rows));
      renderer.copyTextureToTexture(this.source, this.texture, area, area.min);
    }
    return true;
  }

  colour(palette: Palette, isHovered: boolean): void {
    const { part } = this;
    const { color } = this.material;
    const own = finishes[part.finish]!.color;
    if (part.color.length === 3) color.setRGB(part.color[0]!, part.color[1]!, part.color[2]!, SRGBColorSpace);
    else if (own) color.set(own);
    else bodyColour(part.body, part.isSketch, palette, color);
    if (isHovered) color.lerp(new Color("white"), 0.3);
    this.uniforms["soil"]!.value.set(soilColour(this.field.color));
  }

  place(frames: Float32Array, eye: Eye): void {
    const { part, field, mesh, frame } = this;
    mesh.visible = !field.isAway;
    if (field.isAway) return;
    writeMatrix(frames, 12 * part.frame, part.local, 0, mesh.matrix.elements as unknown as Float32Array, 0);
    mesh.matrixWorldNeedsUpdate = true;
    for (let c = 0; c < 4; ++c) for (let k = 0; k < 3; ++k) frame[3 * c + k] = mesh.matrix.elements[4 * c + k]!;
    const at = pointIn(frame, 0, [eye.x, eye.y, eye.z]);
    // A little way makes no other choice worth its while.
    const high = Math.max(0, at[2] - field.high, field.low - at[2]);
    const step = Math.max(field.x[1]!, field.y[1]!, 0.02 * high);
    const name = `${Math.round(at[0] / step)} ${Math.round(at[1] / step)} ${Math.round(high / step)} ${eye.perPixel} ${eye.detail}`;
    if (name === this.chosen) return;
    this.chosen = name;
    this.count = 0;
    let level = 0;
    while (cells << level < Math.max(field.columns, field.rows) - 1) ++level;
    this.choose(0, 0, level, at, high, eye);
    this.patches.needsUpdate = true;
    this.geometry.instanceCount = this.count;
  }

  private choose(column: number, row: number, level: number, at: number[], high: number, eye: Eye): void {
    const { field } = this;
    if (column >= field.columns - 1 || row >= field.rows - 1) return;
    const size = cells << level;
    const [dx, dy] = [field.x[1]!, field.y[1]!];
    const away = (p: number, first: number, d: number) => Math.max(0, first * d - p, p - (first + size) * d);
    const distance = Math.hypot(away(at[0]!, column, dx), away(at[1]!, row, dy), high);
    const pixels = (eye.detail * Math.max(dx, dy) * 2 ** level) / (Math.max(distance, 1e-9) * eye.perPixel);
    if (level > 0 && pixels > pixelsOfCell) {
      const half = size / 2;
      for (const [c, r] of [[0, 0], [half, 0], [0, half], [half, half]] as const) this.choose(column + c, row + r, level - 1, at, high, eye);
      return;
    }
    if (3 * this.count === this.patches.array.length) {
      const more = new InstancedBufferAttribute(new Float32Array(2 * this.patches.array.length), 3).setUsage(DynamicDrawUsage);
      more.array.set(this.patches.array);
      this.patches = more;
      this.geometry.setAttribute("cells", more);
    }
    this.patches.setXYZ(this.count++, column, row, 1 << level);
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.geometry.dispose();
    this.material.dispose();
    this.depth.dispose();
    this.texture.dispose();
  }
}

function textureOf({ heights, columns, rows }: Field): DataTexture {
  const texture = new DataTexture(heights, columns, rows, RGFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  return texture;
}

// Points in cells, and 1 where the skirt hangs.
function grid(): InstancedBufferGeometry {
  const positions: number[] = [];
  const corners: number[] = [];
  const quad = (a: number, b: number, c: number, d: number) => corners.push(a, b, c, a, c, d);
  const side = cells + 1;
  for (let y = 0; y < side; ++y) for (let x = 0; x < side; ++x) positions.push(x, y, 0);
  for (let y = 0; y < cells; ++y) for (let x = 0; x < cells; ++x) quad(y * side + x, y * side + x + 1, (y + 1) * side + x + 1, (y + 1) * side + x);
  // Around it, counter-clockwise, each point and the one below it.
  const around: number[] = [];
  for (let k = 0; k < cells; ++k) around.push(k);
  for (let k = 0; k < cells; ++k) around.push(k * side + cells);
  for (let k = cells; k > 0; --k) around.push(cells * side + k);
  for (let k = cells; k > 0; --k) around.push(k * side);
  const below = positions.length / 3;
  for (const point of around) positions.push(positions[3 * point]!, positions[3 * point + 1]!, 1);
  around.forEach((point, k) => {
    const next = (k + 1) % around.length;
    quad(below + k, below + next, around[next]!, point);
  });
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setIndex(corners);
  return geometry;
}

// The same place for what is seen and for its shadow.
function displace(shader: WebGLProgramParametersWithUniforms, uniforms: Record<string, IUniform>): void {
  Object.assign(shader.uniforms, uniforms);
  shader.vertexShader = shader.vertexShader
    .replace(
      "#include <common>",
      `#include <common>
      attribute vec3 cells;  // of the instance: its first column and row, and how many points are a cell
      uniform highp sampler2D heights;
      uniform vec2 spacing;
      uniform vec2 lastCell;
      vec2 placeOf(ivec2 point, ivec2 end) {
        return mix(vec2(point) * spacing, vec2(end - 1) * spacing + lastCell, vec2(equal(point, end)));
      }
      float slope(vec2 from, vec2 to, float way) {
        return way > 0.0 ? (to.x - from.x) / way : 0.0;
      }`,
    )
    .replace(
      "void main() {",
      `void main() {
      ivec2 end = textureSize(heights, 0) - 1;
      int cellSize = int(cells.z + 0.5);
      ivec2 point = min(ivec2(cells.xy + 0.5) + cellSize * ivec2(position.xy + 0.5), end);
      vec2 here = texelFetch(heights, point, 0).xy;
      ivec2 before = max(point - cellSize, ivec2(0)), behind = min(point + cellSize, end);
      vec2 left = texelFetch(heights, ivec2(before.x, point.y), 0).xy, right = texelFetch(heights, ivec2(behind.x, point.y), 0).xy;
      vec2 below = texelFetch(heights, ivec2(point.x, before.y), 0).xy, above = texelFetch(heights, ivec2(point.x, behind.y), 0).xy;
      vec2 way = placeOf(behind, end) - placeOf(before, end);
      vec3 fieldNormal = normalize(vec3(-slope(left, right, way.x), -slope(below, above, way.y), 1.0));
      float change = max(max(max(abs(left.y), abs(right.y)), max(abs(below.y), abs(above.y))), abs(here.y));
      vec3 fieldPlace = vec3(placeOf(point, end), here.x - position.z * 1.5 * cells.z * max(spacing.x, spacing.y));`,
    )
    .replace("#include <beginnormal_vertex>", "vec3 objectNormal = fieldNormal;")
    .replace("#include <begin_vertex>", "vec3 transformed = fieldPlace;");
}
