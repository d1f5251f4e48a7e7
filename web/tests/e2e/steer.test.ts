import { describe, expect, it } from "vitest";
import { count, countIs, inScene, look, openScene, placeOf, runs, start, time, timeReaches, until, useBrowser, values } from "./browser";

const isBody = (subject: string) => /^box|^block/.test(subject);

describe("Steering", () => {
  useBrowser();

  it("moves a body that the mouse holds", async () => {
    const program = await start("box-stack");
    const page = await look(program.operator);
    await inScene(page);
    await page.keyboard.press("i");
    const { x, y, subject } = await placeOf(page, isBody);
    await page.keyboard.press("i");
    await page.keyboard.press("g");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 60, { steps: 6 });
    await page.keyboard.press("i");
    const height = async () => Number((await values(page))[`${subject}.position.z`]);
    const before = await height();
    await page.mouse.move(x, y - 120, { steps: 6 });
    await expect.poll(height, { timeout: 20_000 }).toBeGreaterThan(before + 0.05);
    await page.mouse.up();
  });

  it("adds a box, a spring and a joint, and takes them away", async () => {
    const program = await start("box-stack");
    const page = await look(program.operator);
    await inScene(page);
    await page.keyboard.press("i");
    const { x, y } = await placeOf(page, isBody);
    await page.keyboard.press("i");
    await page.click("[aria-label='Dismiss the hint']"); // its button is where the box goes
    await page.keyboard.press("n");
    await page.keyboard.press("w");
    const bodies = await count(page, "Bodies");
    const box = (await page.locator(".stage canvas").boundingBox())!;
    const aside = { x: box.x + 0.75 * box.width, y: box.y + 0.85 * box.height };

    await page.keyboard.press("b");
    await page.mouse.click(aside.x, aside.y);
    await countIs(page, "Bodies", bodies + 1);

    await page.keyboard.press("Space"); // so that they stay where they were seen
    await runs(page, false);
    await page.keyboard.press("k");
    await page.mouse.click(x, y);
    await page.mouse.click(box.x + 0.9 * box.width, box.y + 0.95 * box.height);
    await countIs(page, "Springs", 1);

    const joints = await count(page, "Joints");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.mouse.click(x, y);
    await page.mouse.click(box.x + 0.9 * box.width, box.y + 0.95 * box.height);
    await countIs(page, "Joints", joints + 1);

    await page.keyboard.press("Escape");
    await page.fill(".tree input", "spring");
    await page.locator(".tree-row.depth-2").first().click();
    await page.keyboard.press("Delete");
    await countIs(page, "Springs", 0);
  });

  it("records, and plays what it recorded", async () => {
    const program = await start("four-bar");
    const page = await look(program.operator);
    await inScene(page);
    await page.keyboard.press("r");
    await page.waitForSelector(".recording[data-file$='.mcap']");
    await timeReaches(page, (await time(page)) + 1);
    const end = await time(page);
    await page.keyboard.press("r");
    await page.waitForSelector(".recording[data-file='']");
    await page.click("[aria-label='Back to the gallery']");
    await openScene(page, "out/four-bar-1.mcap");
    await page.waitForSelector(".badge:text-is('Recording')");
    expect(await page.locator("[aria-label='Tools']").isDisabled()).toBe(true);
    expect(Number(await page.getAttribute(".scrubber", "data-last"))).toBeGreaterThanOrEqual(end - 0.5);
    await timeReaches(page, end - 0.5);
    await runs(page, false); // at its end
    await page.keyboard.press("Home");
    await until(async () => (await time(page)) < end - 0.5);
    await page.keyboard.press("Space");
    await timeReaches(page, end - 0.5);
  });

  it("drives a machine with keys and with a gamepad", async () => {
    const program = await start("machine-by-hand");
    const page = await look(program.operator, null, () => {
      const pad = { id: "a pad", connected: true, axes: [0, 0, 0, 0], buttons: [] };
      Object.assign(window, { pad });
      navigator.getGamepads = () => [pad as unknown as Gamepad];
    });
    await inScene(page);
    await page.keyboard.press("n");
    await page.fill(".tree input", "bucket");
    await page.locator(".tree-row.depth-2 >> text=/^bucket$/").first().click();
    await page.keyboard.press("i");
    const height = async () => Number((await values(page))["bucket.position.z"]);
    const lowest = await height();
    await page.locator(".stage canvas").focus();
    await page.keyboard.press("d");
    await page.keyboard.down("k"); // boom up
    await expect.poll(height, { timeout: 20_000 }).toBeGreaterThan(lowest + 0.1);
    await page.keyboard.up("k");
    const held = await height();
    await page.evaluate(() => {
      (window as unknown as { pad: { axes: number[] } }).pad.axes[3] = -1; // lever forward: boom down
      window.dispatchEvent(new Event("gamepadconnected"));
    });
    await expect.poll(height, { timeout: 20_000 }).toBeLessThan(held - 0.1);
  });

  it("can be used with the keyboard alone", async () => {
    const program = await start();
    const page = await look(program.operator);
    await page.waitForSelector(".card");
    await page.keyboard.press("/");
    await page.keyboard.type("square four");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await inScene(page);
    await page.keyboard.press("Space");
    await runs(page, false);
    // A field takes its letters itself.
    await page.keyboard.press("p");
    await page.waitForSelector(".plots .add:focus");
    await page.keyboard.press("Enter");
    await page.keyboard.type("energy total");
    await page.keyboard.press("Enter");
    await page.waitForSelector("article[aria-label='Plot of energy.total']");
    await page.keyboard.press("w");
    await page.keyboard.press("Space");
    await runs(page, true);
    const chart = page.locator("[aria-label='Plot of energy.total'] .chart");
    await until(async () => Number(await chart.getAttribute("data-points")) > 10);
    await page.keyboard.press("p");
    await page.keyboard.press("n");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("i");
    await page.waitForSelector("[data-subject='crank 0']");
    await page.keyboard.press("l");
    await page.waitForSelector("[role=menu] :focus");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=menuitemcheckbox][aria-checked=true]:has-text('normals')");
    await page.keyboard.press("Escape");
    await page.keyboard.press("t");
    await page.waitForSelector("html[data-theme=dark]");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open] >> text=Run or pause");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog:not([open])", { state: "attached" });
  });
});
