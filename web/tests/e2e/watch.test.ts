import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Gallery } from "../../src/core/messages";
import { inScene, look, openScene, runs, start, step, stepIs, time, timeReaches, until, useBrowser, values } from "./browser";

// Without what is counted over the whole run.
async function motion(page: Page): Promise<[string, string][]> {
  return Object.entries(await values(page)).filter(([name]) => !name.startsWith("solver."));
}

describe("Watching", () => {
  useBrowser();

  it("lists every scene and opens one, which moves", async () => {
    const program = await start();
    const page = await look(program.operator);
    await page.waitForSelector(".card");
    const token = new URLSearchParams(new URL(program.operator).hash.slice(1)).get("token");
    const headers = { Authorization: `Bearer ${token}` };
    const { scenes } = (await (await fetch(new URL("/api/scenes", program.operator), { headers })).json()) as Gallery;
    expect(scenes.length).toBeGreaterThan(20);
    expect(await page.locator(".card").count()).toBe(scenes.length);
    await page.fill("input[type=search]", "double pendulum");
    expect(await page.locator(".card").count()).toBeLessThan(5);
    await openScene(page, "double-pendulum");
    await page.keyboard.press("i");
    const before = await values(page);
    await timeReaches(page, (await time(page)) + 0.5);
    expect(await values(page)).not.toEqual(before);
    await page.click("[aria-label='Back to the gallery']");
    await page.waitForSelector(".card");
  });

  it("pauses, steps forth and back, and changes its speed", async () => {
    const program = await start("four-bar");
    const page = await look(program.operator);
    await inScene(page);
    await timeReaches(page, 0.1);
    await page.keyboard.press("Space");
    await runs(page, false);
    const from = await step(page);
    await page.keyboard.press(".");
    await stepIs(page, from + 1);
    await page.keyboard.press(",");
    await stepIs(page, from);
    await page.keyboard.press("+");
    await page.waitForSelector(".timeline[data-speed='2']");
    await page.click(".button.speed");
    await page.click(".speeds button:text-is('¼×')");
    await page.waitForSelector(".timeline[data-speed='0.25']");
    await page.keyboard.press("Escape");
    await page.click("[aria-label='Restart']");
    await stepIs(page, 0);
  });

  it("goes back ten seconds and comes to the same state again", async () => {
    const program = await start("double-pendulum", "--paused", "--step", "0.005");
    const page = await look(program.operator);
    await inScene(page);
    for (const speed of [2, 5, 10]) {
      await page.keyboard.press("+");
      await page.waitForSelector(`.timeline[data-speed='${speed}']`);
    }
    await page.keyboard.press("i");
    await page.keyboard.press("w");
    await page.keyboard.press("Space");
    await timeReaches(page, 11);
    await page.keyboard.press("Space");
    await runs(page, false);
    const end = await step(page);
    const there = await motion(page);

    // Back by dragging the scrubber, on by running, and the last steps one by one.
    const target = (await time(page)) - 10;
    const track = (await page.locator(".track").boundingBox())!;
    const last = Number(await page.getAttribute(".scrubber", "data-last"));
    await page.mouse.move(track.x + track.width, track.y + 2);
    await page.mouse.down();
    await page.mouse.move(track.x + (track.width * target) / last, track.y + 2, { steps: 5 });
    await page.mouse.up();
    await until(async () => (await time(page)) < target + 0.5);
    expect(await motion(page)).not.toEqual(there);
    await page.keyboard.press("w");
    await page.keyboard.press("0");
    await page.waitForSelector(".timeline[data-speed='1']");
    await page.keyboard.press("Space");
    await page.waitForSelector(".repeating");
    await timeReaches(page, target + 1);
    await page.keyboard.press("Space");
    await runs(page, false);
    await page.locator(".scrubber").press("End");
    await stepIs(page, end);
    expect(await motion(page)).toEqual(there);

    await page.keyboard.press("Home");
    await stepIs(page, 0);
  });

  it("takes a picture and a film", async () => {
    const program = await start("four-bar");
    const page = await look(program.operator);
    await inScene(page);
    const saved = async (act: () => Promise<void>) => {
      const [download] = await Promise.all([page.waitForEvent("download"), act()]);
      return { name: download.suggestedFilename(), bytes: readFileSync((await download.path())!) };
    };
    const picture = await saved(() => page.keyboard.press("s"));
    expect(picture.name).toMatch(/^four-bar.*\.png$/);
    expect(picture.bytes.subarray(1, 4).toString()).toBe("PNG");
    await page.keyboard.press("v");
    const filming = await time(page);
    await timeReaches(page, filming + 1);
    const film = await saved(() => page.keyboard.press("v"));
    expect(film.name).toMatch(/^four-bar.*\.(webm|mp4)$/);
    expect(film.bytes.length).toBeGreaterThan(1000);
  });
});
