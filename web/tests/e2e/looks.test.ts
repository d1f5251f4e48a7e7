// Meshes that look as their files paint them.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, it } from "vitest";
import { inScene, look, start, until, useBrowser } from "./browser";

function png(side: number, colour: (x: number, y: number) => number[]): Buffer {
  const chunk = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind), data]);
    const out = Buffer.alloc(8 + body.length);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(checksum(body), 4 + body.length);
    return out;
  };
  const rows = Array.from({ length: side }, (_, y) => Buffer.from([0, ...Array.from({ length: side }, (_, x) => colour(x, y)).flat()]));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2], 8);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.concat(rows))), chunk("IEND", Buffer.alloc(0))]);
}
function checksum(bytes: Buffer): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let i = 0; i < 8; ++i) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

// A cube whose sides have an image each, red on the left and green on the right.
function cube(image: Buffer): string {
  const [places, spots, corners]: [number[], number[], number[]] = [[], [], []];
  for (let k = 0; k < 3; ++k)
    for (const side of [-1, 1]) {
      const first = places.length / 3;
      for (const [u, v] of [[0, 0], [1, 0], [1, 1], [0, 1]] as const) {
        const p = [0, 0, 0];
        p[k] = side / 2;
        p[(k + 1) % 3] = side * (u - 0.5);
        p[(k + 2) % 3] = v - 0.5;
        places.push(...p);
        spots.push(u, 1 - v);
      }
      corners.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  const bytes = Buffer.concat([Buffer.from(Float32Array.from(places).buffer), Buffer.from(Float32Array.from(spots).buffer), Buffer.from(Uint16Array.from(corners).buffer)]);
  const uri = (data: Buffer, type: string) => `data:${type};base64,${data.toString("base64")}`;
  return JSON.stringify({
    asset: { version: "2.0" },
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 } }],
    textures: [{ source: 0 }],
    images: [{ uri: uri(image, "image/png") }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 24, type: "VEC3" },
      { bufferView: 1, componentType: 5126, count: 24, type: "VEC2" },
      { bufferView: 2, componentType: 5123, count: 36, type: "SCALAR" },
    ],
    bufferViews: [{ buffer: 0, byteLength: 288 }, { buffer: 0, byteOffset: 288, byteLength: 192 }, { buffer: 0, byteOffset: 480, byteLength: 72 }],
    buffers: [{ uri: uri(bytes, "application/octet-stream"), byteLength: 552 }],
  });
}

// How many pixels of the picture are clearly red, and clearly green.
async function count(page: Page): Promise<{ red: number; green: number }> {
  const picture = (await page.locator(".stage canvas").first().screenshot()).toString("base64");
  return page.evaluate(async (text) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
    const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height });
    const context = canvas.getContext("2d")!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = { red: 0, green: 0 };
    for (let i = 0; i < data.length; i += 4) {
      if (data[i]! > 2 * data[i + 1]! && data[i]! > 2 * data[i + 2]! && data[i]! > 60) ++found.red;
      if (data[i + 1]! > 2 * data[i]! && data[i + 1]! > 2 * data[i + 2]! && data[i + 1]! > 60) ++found.green;
    }
    return found;
  }, picture);
}

describe("A mesh", () => {
  useBrowser();

  it("is drawn in the images of its file, and stays so when the scene changes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bristle-looks-"));
    writeFileSync(join(folder, "cube.gltf"), cube(png(16, (x) => (x < 8 ? [230, 10, 10] : [10, 200, 20]))));
    const file = join(folder, "painted.yaml");
    const scene = "bodies: {cube: {type: point, mass: 1}}\nvisuals: {skin: {type: mesh, file: cube.gltf, body: cube}}\ngravity: [0, 0, 0]\n";
    writeFileSync(file, scene);
    const program = await start(file);
    const page = await look(program.operator, null, () => localStorage.setItem("bristle-quality", "0"));
    await inScene(page);
    const both = async () => {
      const { red, green } = await count(page);
      return red > 200 && green > 200;
    };
    await until(both);
    // Plain, if the scene says so.
    writeFileSync(file, scene.replace("body: cube}", "body: cube, color: white}"));
    await until(async () => (await count(page)).red === 0);
    writeFileSync(file, scene);
    await until(both);
  });
});
