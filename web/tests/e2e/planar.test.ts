import { describe, expect, it } from "vitest";
import { count, countIs, inScene, look, placeOf, start, useBrowser, values } from "./browser";

const isBody = (subject: string) => /^box/.test(subject);

describe("A planar scene", () => {
  useBrowser();

  it("is held in its plane", async () => {
    const program = await start("stack-of-20");
    const page = await look(program.operator);
    await inScene(page);
    await page.keyboard.press("i");
    const { x, y, subject } = await placeOf(page, isBody);
    await page.keyboard.press("i");
    await page.keyboard.press("g");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 80, y - 60, { steps: 6 });
    await page.keyboard.press("i");
    const position = async (axis: string) => Number((await values(page))[`${subject}.position.${axis}`]);
    await expect.poll(() => position("x"), { timeout: 20_000 }).toBeGreaterThan(0.3);
    expect(Math.abs(await position("y"))).toBeLessThan(1e-6);
    await page.mouse.up();
  });

  it("takes boxes and balls in its plane", async () => {
    const program = await start("stack-of-20");
    const page = await look(program.operator);
    await inScene(page);
    await page.keyboard.press("n");
    await page.keyboard.press("w");
    const bodies = await count(page, "Bodies");
    const box = (await page.locator(".stage canvas").boundingBox())!;
    const at = (right: number, down: number) => [box.x + right * box.width, box.y + down * box.height] as const;

    // Sky, and far down in front of it the ground.
    await page.keyboard.press("b");
    await page.mouse.click(...at(0.85, 0.2));
    await countIs(page, "Bodies", bodies + 1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("o");
    await page.mouse.click(...at(0.9, 0.95));
    await countIs(page, "Bodies", bodies + 2);
  });
});
