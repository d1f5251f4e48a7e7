// A file of a hundred bodies that is saved a thousand times while it is watched, half of the times with a mistake.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inScene, look, start, time, timeReaches, until, useBrowser } from "../e2e/browser";

const saves = Number(process.env["BRISTLE_SAVES"] ?? 1000);
const scene = (i: number, mass: string) => `title: Save ${i}
bodies:
  rod: {type: rod, from: [0, 0, 2], to: [1, 0, 2], mass: ${mass}}
  ball {i}: {for: {i: 99}, type: sphere, radius: 0.1, mass: 1, position: [0.3*(i - 10*floor(i/10)), 1 + 0.3*floor(i/10), 0.5], material: default}
shapes:
  floor: {type: plane}
joints:
  A: {type: revolute, b: rod, at: [0, 0, 2], axis: y}
solver: impulse
outputs:
  plots:
    - {title: Angle, y: A.angle}
`;

describe("A watched file", () => {
  useBrowser();

  it(`is shown after each of ${saves} saves, half of them broken, and nothing is lost or leaks`, async () => {
    const file = join(mkdtempSync(join(tmpdir(), "bristle-saves-")), "saved.yaml");
    writeFileSync(file, scene(0, "1"));
    const program = await start(file);
    const page = await look(program.operator, null, () => localStorage.setItem("bristle-quality", "0")); // a processor draws here
    await inScene(page);
    await page.keyboard.press("p");
    await page.waitForSelector(".plots article");
    const cdp = await page.context().newCDPSession(page);
    const server = () => {
      const status = readFileSync(`/proc/${program.pid}/status`, "utf8");
      return { kB: Number(/VmRSS:\s+(\d+)/.exec(status)![1]), threads: Number(/Threads:\s+(\d+)/.exec(status)![1]) };
    };
    const heap = async () => {
      await cdp.send("HeapProfiler.collectGarbage");
      return (await cdp.send("Runtime.getHeapUsage")).usedSize / 1024;
    };
    const times: number[] = [];
    const figures: { save: number; kB: number; threads: number; heap: number }[] = [];
    for (let i = 1; i <= saves; ++i) {
      const isBroken = i % 2 === 0;
      const saved = Date.now();
      writeFileSync(file, scene(i, isBroken ? `${i} mm` : "1"));
      if (isBroken) await page.waitForSelector(`.file-report.bad:has-text("mass is '${i} mm'")`);
      else {
        await page.waitForSelector(`.top-bar h1[title='Save ${i}']`, { state: "attached" });
        await page.waitForSelector(".file-report.bad", { state: "detached" });
        times.push(Date.now() - saved);
      }
      if (i % Math.max(1, Math.floor(saves / 5)) === 0) figures.push({ save: i, ...server(), heap: await heap() });
    }
    // The last save was broken: mended, it goes on, with its plot.
    writeFileSync(file, scene(saves + 1, "1"));
    await page.waitForSelector(`.top-bar h1[title='Save ${saves + 1}']`, { state: "attached" });
    await timeReaches(page, (await time(page)) + 0.2);
    const points = async () => Number(await page.locator(".plots .chart").first().getAttribute("data-points"));
    await until(async () => (await points()) > 2);
    const curve = await points();
    await until(async () => (await points()) > curve + 5); // what happens now, and not only what did
    times.sort((a, b) => a - b);
    console.log(`median ${times[times.length >> 1]} ms, worst ${times[times.length - 1]} ms`);
    for (const f of figures) console.log(JSON.stringify(f));
    expect(times[times.length >> 1]!).toBeLessThan(1000);
    const [early, late] = [figures[0]!, figures[figures.length - 1]!];
    expect(late.threads).toBe(early.threads);
    expect(late.kB).toBeLessThan(early.kB + 30_000); // history of the session, and what the allocator keeps
    expect(late.heap).toBeLessThan(early.heap + 5_000);
  });
});
