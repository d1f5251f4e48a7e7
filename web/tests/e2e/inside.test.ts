import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { inScene, look, start, stepIs, useBrowser } from "./browser";

// A peg that is pressed into the wall of its hole: what they share is hidden in the block.
const meshes = fileURLToPath(new URL("../../../scenes/meshes", import.meta.url));
const scene = `
materials:
  steel: {}
bodies:
  peg: {type: mesh, file: ${meshes}/peg.obj, scale: 1 mm, mass: 0.1, material: steel, position: [0, 0, -0.03], rotation: {axis: y, angle: 4 deg}}
shapes:
  block: {type: mesh, file: ${meshes}/block-with-hole.obj, scale: 1 mm, material: steel}
solver: {step: 0.5 ms}
`;

async function picture(page: Page): Promise<string> {
  return (await page.locator(".stage canvas").screenshot()).toString("base64");
}

// Pixels of two pictures that clearly differ.
function changed(page: Page, before: string, after: string): Promise<number> {
  return page.evaluate(
    async (pictures) => {
      const [a, b] = await Promise.all(
        pictures.map(async (data) => {
          const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
          context.drawImage(bitmap, 0, 0);
          return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
        }),
      );
      let count = 0;
      for (let i = 0; i < a!.length; i += 4) if (Math.hypot(a![i]! - b![i]!, a![i + 1]! - b![i + 1]!, a![i + 2]! - b![i + 2]!) > 30) ++count;
      return count;
    },
    [before, after],
  );
}

async function toggle(page: Page, layer: string): Promise<void> {
  await page.keyboard.press("l");
  await page.click(`[role=menuitemcheckbox]:has-text("${layer}")`);
  await page.keyboard.press("Escape");
  await page.waitForSelector("[role=menuitemcheckbox]", { state: "detached" });
}

describe("Looking inside", () => {
  useBrowser();

  it("shows what solids share through the bodies around it, while it is asked for", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bristle-inside-"));
    writeFileSync(join(folder, "inside.yaml"), scene);
    const program = await start(join(folder, "inside.yaml"), "--paused", "--allow", meshes);
    const page = await look(program.operator);
    await inScene(page);
    await page.keyboard.press(".");
    await stepIs(page, 1);
    let before = "";
    // Until the picture stands still.
    await expect.poll(async () => before === (before = await picture(page)), { timeout: 20_000 }).toBe(true);
    await toggle(page, "Shared volumes");
    await expect.poll(async () => changed(page, before, await picture(page)), { timeout: 20_000 }).toBeGreaterThan(100);
    await toggle(page, "Shared volumes");
    await expect.poll(async () => changed(page, before, await picture(page)), { timeout: 20_000 }).toBe(0);
    rmSync(folder, { recursive: true });
  });
});
