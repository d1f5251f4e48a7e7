// Ground that is dug: seen where it changes, by who comes late, by who goes back, and in a recording.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, it } from "vitest";
import { inScene, look, runs, start, stepIs, timeReaches, until, useBrowser } from "./browser";

// A bucket that is led down, along and up again. Its ground is blue, what it digs is as brown as loam.
const scene = `title: A bucket digs in blue ground
bodies:
  cart: {type: box, size: [1, 1, 1], mass: 10, position: [-0.2, 0, 0.5]}
  lift: {type: box, size: [1, 1, 1], mass: 10, position: [-0.2, 0, 0.5]}
  bucket: {type: box, size: [1, 1, 1], mass: 100, position: [-0.2, 0, 0.5]}
shapes:
  site: {type: height_field, columns: 81, rows: 61, spacing: 0.05, position: [-2, -1.5, 0], height: "0", color: "#2040ff"}
visuals:
  cart: {type: sphere, radius: 0.02, body: cart}
  lift: {type: sphere, radius: 0.02, body: lift}
  bucket: {type: sphere, radius: 0.02, body: bucket}
joints:
  x: {type: prismatic, b: cart, at: [0, 0, 0.5], axis: x}
  z: {type: prismatic, a: cart, b: lift, at: [0, 0, 0.5], axis: z}
  turn: {type: fixed, a: lift, b: bucket, at: [-0.2, 0, 0.5]}
drives:
  along: {joint: x, control: position, target: {table: [[0, 0], [1, 0], [2, 1], [3, 1]]}}
  up: {joint: z, control: position, target: {table: [[0, 0], [1, -0.8], [2, -0.8], [3, 1]]}}
earth:
  patches: [{shape: site}]
  buckets:
    bucket:
      body: bucket
      hull: [[0, -0.5, 0], [0, 0.5, 0], [-0.9, -0.5, 0], [-0.9, 0.5, 0], [-1.1, -0.5, 0.3], [-1.1, 0.5, 0.3], [-1.1, -0.5, 0.7], [-1.1, 0.5, 0.7]]
      edge_left: [0, 0.5, 0]
      edge_right: [0, -0.5, 0]
      digging: [1, 0, 0]
      inside: [[0, 0, 0], [-0.9, 0, 0], [-1.1, 0, 0.3], [-1.1, 0, 0.7]]
solver: {step: 5 ms}
`;

// How many pixels of the picture are brown.
async function brown(page: Page): Promise<number> {
  const picture = (await page.locator(".stage canvas").first().screenshot()).toString("base64");
  return page.evaluate(async (text) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
    const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height });
    const context = canvas.getContext("2d")!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i]! > 1.4 * data[i + 2]! && data[i]! > 30) ++found;
    return found;
  }, picture);
}
const isDug = async (page: Page) => (await brown(page)) > 300;
const isWhole = async (page: Page) => (await brown(page)) === 0;

describe("Ground", () => {
  useBrowser();

  it("is dug before the eyes of all who look, and whole again for who goes back", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bristle-ground-"));
    const [file, recording] = [join(folder, "digging.yaml"), join(folder, "digging.mcap")];
    writeFileSync(file, scene);
    const program = await start(file, "--paused", "--record", recording);
    const plain = () => localStorage.setItem("bristle-quality", "0");
    const page = await look(program.operator, null, plain);
    await inScene(page);
    await until(() => isWhole(page));
    await page.keyboard.press("Space");
    await until(() => isDug(page));
    await timeReaches(page, 2.5);
    await page.keyboard.press("Space");
    await runs(page, false);

    const late = await look(program.viewer, null, plain);
    await inScene(late);
    await until(() => isDug(late));
    await page.keyboard.press("Home");
    await stepIs(page, 0);
    for (const each of [page, late]) await until(() => isWhole(each));
    await page.keyboard.press("End");
    for (const each of [page, late]) await until(() => isDug(each));

    // The recording is finished, and shows the same.
    await page.keyboard.press("r");
    await page.waitForSelector(".recording[data-file='']");
    const replay = await start(recording, "--paused");
    const again = await look(replay.operator, null, plain);
    await inScene(again);
    await until(() => isWhole(again));
    await again.keyboard.press("End");
    await until(() => isDug(again));
    await again.keyboard.press("Home");
    await until(() => isWhole(again));
  });
});
