import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { count, inScene, look, start, time, timeReaches, until, useBrowser } from "./browser";

const pendulum = `title: Mine
parameters:
  length: {value: 0.8, unit: m, about: of the rod}
bodies:
  rod: {type: rod, from: [0, 0, 0], to: [length, 0, 0], mass: 1}
joints:
  A: {type: revolute, b: rod, at: [0, 0, 0], axis: y}
outputs:
  plots:
    - {title: Angle, y: A.angle}
`;
const second = pendulum.replace("joints:", "  ball: {type: sphere, radius: 0.1, mass: 1, position: [0, 0, 2]}\njoints:");

function mine(): string {
  const file = join(mkdtempSync(join(tmpdir(), "bristle-mine-")), "mine.yaml");
  writeFileSync(file, pendulum);
  return file;
}

describe("A scene of one's own", () => {
  useBrowser();

  it("changes in the page when its file is saved, and goes on when that is broken", async () => {
    const file = mine();
    const program = await start(file);
    const page = await look(program.operator);
    await inScene(page);
    await page.keyboard.press("p");
    const points = async () => Number(await page.locator(".plots .chart").first().getAttribute("data-points"));
    await page.waitForSelector(".plots article");
    await page.keyboard.press("n");
    await timeReaches(page, 1);
    const plotted = await points();
    expect(await count(page, "Bodies")).toBe(2); // with the ground
    const before = await time(page);

    const saved = Date.now();
    writeFileSync(file, second);
    await until(async () => (await count(page, "Bodies")) === 3);
    expect(Date.now() - saved).toBeLessThan(5000); // less than one where somebody works; here a processor draws
    expect(await time(page)).toBeGreaterThanOrEqual(before); // the moment is kept
    await until(async () => (await points()) > plotted); // and so is what was plotted

    writeFileSync(file, second.replace("mass: 1, position", "mass: 2 mm, position"));
    const report = page.locator(".file-report.bad");
    await report.waitFor();
    expect(await report.textContent()).toContain("mine.yaml:6:");
    expect(await report.textContent()).toContain("expected a number in kg");
    const broken = await time(page);
    await timeReaches(page, broken + 0.3); // the old world goes on
    expect(await count(page, "Bodies")).toBe(3);

    writeFileSync(file, pendulum);
    await report.waitFor({ state: "detached" });
    await until(async () => (await count(page, "Bodies")) === 2);
    expect(await time(page)).toBeGreaterThan(broken);
  });

  it("takes other parameters at the same moment, and writes them to the file", async () => {
    const file = mine();
    const program = await start(file);
    const page = await look(program.operator);
    await inScene(page);
    await timeReaches(page, 0.5);
    await page.keyboard.press("i");
    await page.click("#tab-parameters");
    const before = await time(page);
    await page.fill("#parameter-length", "0.5");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".parameter[data-changed=true]");
    await page.locator("[aria-label='length, slider']").focus();
    await page.keyboard.press("ArrowRight");
    await until(async () => (await page.inputValue("#parameter-length")) !== "0.5");
    expect(await time(page)).toBeGreaterThanOrEqual(before);
    const chosen = await page.inputValue("#parameter-length");
    await page.click("[title='Write these values into the file']");
    await until(async () => readFileSync(file, "utf8").includes(`value: ${chosen}, unit: m`));
    await page.waitForSelector(".parameter[data-changed=false]");
    expect(await page.inputValue("#parameter-length")).toBe(chosen);
  });
});
