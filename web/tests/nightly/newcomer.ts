// What somebody does in the first quarter of an hour, with the mouse on a desk or with fingers on a phone.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { inScene, look, runs, start, time, timeReaches, until } from "../e2e/browser";

const scene = `title: Mine
parameters:
  side: {value: 0.8, unit: m, about: of the box}
bodies:
  box: {type: box, size: [side, side, side], mass: 5, position: [0, 0, side/2], material: default}
shapes:
  floor: {type: plane}
outputs:
  plots:
    - {title: Height, y: box.position.z}
`;

// Takes hold of what is seen somewhere near the middle and pulls it up; the force that is told, N.
async function pull(page: Page, isPhone: boolean): Promise<number> {
  const box = (await page.locator(".stage canvas").boundingBox())!;
  const hand = page.locator(".hand-force:not([hidden])");
  const fingers = isPhone ? await page.context().newCDPSession(page) : null;
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x: number, y: number) =>
    fingers!.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  for (const share of [0.5, 0.42, 0.58, 0.34, 0.66]) {
    const [x, y] = [box.x + box.width / 2, box.y + share * box.height];
    if (isPhone) {
      await touch("touchStart", x, y);
      await page.waitForTimeout(600); // a finger that rests takes hold
      for (let i = 1; i <= 5; ++i) await touch("touchMove", x, y - 8 * i);
    } else {
      await page.keyboard.down("Shift");
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y - 40, { steps: 5 });
    }
    const isHeld = await hand.waitFor({ timeout: 4000 }).then(() => true, () => false);
    const newtons = isHeld ? Number(await hand.getAttribute("data-newtons")) : 0;
    if (isPhone) await touch("touchEnd", x, y);
    else {
      await page.mouse.up();
      await page.keyboard.up("Shift");
    }
    if (isHeld) return newtons;
  }
  throw new Error("nothing could be taken hold of");
}

export async function firstQuarter(how: BrowserContextOptions, isPhone: boolean): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), "bristle-mine-")), "mine.yaml");
  writeFileSync(file, scene);
  const program = await start(file);
  const fast = () => localStorage.setItem("bristle-quality", "0"); // a processor draws here
  const page = await look(program.operator, null, fast, how);
  const press = (selector: string) => (isPhone ? page.tap(selector) : page.click(selector));
  const open = async (panel: string, button: string) => {
    if (!(await page.locator(panel).count())) await press(`[aria-label='${button}']`);
    await page.waitForSelector(panel);
  };
  const close = async (panel: string, button: string) => {
    if (await page.locator(panel).count()) await press(`${panel} [aria-label='${button}']`);
  };
  await inScene(page);
  await page.waitForSelector(".try"); // it says what to try

  // Chooses: it is in the gallery, with a picture once it was looked at.
  await until(() => page.evaluate(() => (localStorage.getItem("bristle-pictures") ?? "").includes("mine.yaml")));
  await press("[aria-label='Back to the gallery']");
  const card = page.locator(".card", { hasText: "Mine" });
  await card.locator("img").waitFor();
  await (isPhone ? card.tap() : card.click());
  await inScene(page);

  // Grabs.
  if (isPhone) await close(".panel.side", "Close the panel");
  expect(await pull(page, isPhone)).toBeGreaterThan(1);

  // Plots.
  await open(".plots", "Plots");
  await timeReaches(page, (await time(page)) + 0.3);
  await until(async () => Number(await page.locator(".plots .chart").first().getAttribute("data-points")) > 2);
  if (isPhone) await close(".plots", "Close the plots");

  // Changes a parameter, and the motion goes on from the same moment.
  await open(".panel.side", "Inspector and controls");
  await press("#tab-parameters");
  const before = await time(page);
  await page.fill("#parameter-side", "0.6");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".parameter[data-changed=true]");
  expect(await time(page)).toBeGreaterThanOrEqual(before);
  await timeReaches(page, before + 0.2);
  if (isPhone) await close(".panel.side", "Close the panel");

  // Changes the file, breaks it, mends it.
  const title = (text: string) => page.waitForSelector(`.top-bar h1[title='${text}']`, { state: "attached" });
  writeFileSync(file, scene.replace("Mine", "Better"));
  await title("Better");
  writeFileSync(file, scene.replace("mass: 5", "mass: five"));
  const report = page.locator(".file-report.bad");
  await report.waitFor();
  // Where it is, and what; while the scene before goes on.
  expect(await report.locator("code").first().textContent()).toMatch(/^mine\.yaml:5:\d+$/);
  expect(await report.textContent()).toContain("five");
  const broken = await time(page);
  await timeReaches(page, broken + 0.2);
  writeFileSync(file, scene.replace("Mine", "Mended"));
  await page.waitForSelector(".file-report.bad", { state: "detached" });
  await title("Mended");

  // Shares: the other one looks on and steers nothing, and it is told that somebody is there.
  const other = await look(program.viewer, null, fast, how);
  await inScene(other);
  await other.waitForSelector("[data-role=viewer]", { state: "attached" });
  expect(await other.locator(".recording button").isDisabled()).toBe(true);
  await page.waitForSelector(".viewers", { state: "attached" });
  await timeReaches(other, (await time(other)) + 0.2);
  await other.context().close();

  // Records, and looks at what was recorded.
  await press(".recording button");
  await page.waitForSelector(".recording[data-file$='.mcap']", { state: "attached" });
  await timeReaches(page, (await time(page)) + 0.5);
  const end = await time(page);
  await press(".recording button");
  await page.waitForSelector(".recording[data-file='']", { state: "attached" });
  await press("[aria-label='Back to the gallery']");
  const recorded = page.locator(".card[data-scene$='.mcap']");
  await (isPhone ? recorded.tap() : recorded.click());
  await inScene(page);
  await page.waitForSelector("[data-role=operator].replay", { state: "attached" });
  await runs(page, false); // at its end
  expect(await time(page)).toBeGreaterThanOrEqual(end - 0.5);
}
