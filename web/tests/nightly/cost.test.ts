// What a page of 100 bodies and 200,000 triangles costs: script a frame, memory over minutes, and the time to the first picture.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inScene, look, start, useBrowser } from "../e2e/browser";

const minutes = Number(process.env["BRISTLE_MINUTES"] ?? 15);

// A bumpy ball of 2,000 triangles: no primitive.
function mesh(): string {
  const [rings, around] = [26, 40];
  const lines: string[] = [];
  for (let i = 0; i <= rings; ++i)
    for (let j = 0; j < around; ++j) {
      const [a, b] = [(Math.PI * i) / rings, (2 * Math.PI * j) / around];
      const r = 0.3 * (1 + 0.08 * Math.sin(5 * b) * Math.sin(a) ** 2);
      lines.push(`v ${r * Math.sin(a) * Math.cos(b)} ${r * Math.sin(a) * Math.sin(b)} ${r * Math.cos(a)}`);
    }
  for (let i = 0; i < rings; ++i)
    for (let j = 0; j < around; ++j) {
      const [p, q] = [i * around + j + 1, i * around + ((j + 1) % around) + 1];
      if (i > 0) lines.push(`f ${p} ${p + around} ${q}`);
      if (i < rings - 1) lines.push(`f ${q} ${p + around} ${q + around}`);
    }
  return lines.join("\n");
}
const scene = `title: Hundred bumpy balls
bodies:
  ball {i}: {for: {i: 100}, type: sphere, radius: 0.3, mass: 1, position: [0.9*(i - 10*floor(i/10)), 0.9*floor(i/10), 1 + 0.05*i], material: default}
shapes:
  floor: {type: plane}
visuals:
  skin {i}: {for: {i: 100}, body: "ball {i}", type: mesh, file: bumpy.obj}
solver: {type: impulse}
`;

// A bucket that goes to and fro in 50 m by 50 m of ground, deeper and deeper.
const digging = `title: A million points
bodies:
  cart: {type: box, size: [1, 1, 1], mass: 10, position: [0, 0, 0.5]}
  bucket: {type: box, size: [1, 1, 1], mass: 100, position: [0, 0, 0.5]}
shapes:
  site: {type: height_field, columns: 1000, rows: 1000, spacing: 0.05, position: [-25, -25, 0], height: "0.2*sin(x)*cos(y)"}
joints:
  x: {type: prismatic, b: cart, at: [0, 0, 0.5], axis: x}
  z: {type: prismatic, a: cart, b: bucket, at: [0, 0, 0.5], axis: z}
drives:
  along: {joint: x, control: position, target: "3*sin(t)"}
  up: {joint: z, control: position, target: "-0.6 - 0.02*t - 0.4*cos(t)"}
earth:
  patches: [{shape: site, soil: sand}]
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

describe("The page's cost", () => {
  useBrowser();

  it(`is below 2 ms of script a frame, and memory is flat over ${minutes} minutes`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "bristle-cost-"));
    writeFileSync(join(folder, "bumpy.obj"), mesh());
    const file = join(folder, "balls.yaml");
    writeFileSync(file, scene);
    const program = await start(file);
    // The finest: nothing is left out.
    const page = await look(program.operator, null, () => localStorage.setItem("bristle-quality", "3"));
    await inScene(page);
    await page.waitForSelector("canvas[data-drawn]");
    const first = Number(await page.getAttribute(".stage canvas", "data-drawn"));
    const cdp = await page.context().newCDPSession(page);
    const scripting: number[] = [];
    const heaps: number[] = [];
    let triangles = 0;
    const end = Date.now() + 60_000 * minutes;
    let next = Date.now() + 10_000; // what is compiled and kept at first
    while (Date.now() < end) {
      await page.waitForTimeout(1000);
      const rate = await page.locator(".frame-rate").evaluate((e) => ({ ...(e as HTMLElement).dataset }));
      if (Number(rate["scripting"]) > 0) scripting.push(Number(rate["scripting"]));
      triangles = Math.max(triangles, Number(rate["triangles"]));
      if (Date.now() < next) continue;
      next = Date.now() + Math.max(5_000, 60_000 * minutes / 30);
      await cdp.send("HeapProfiler.collectGarbage");
      heaps.push((await cdp.send("Runtime.getHeapUsage")).usedSize / 1024);
      if (heaps.length % 3 === 0) await page.keyboard.press("Home"); // it moves again
    }
    scripting.sort((a, b) => a - b);
    const median = scripting[scripting.length >> 1]!;
    console.log(`first picture ${first} ms, ${triangles} triangles, script ${median.toFixed(2)} ms a frame, heap ${heaps.map((h) => Math.round(h)).join(" ")} kB`);
    expect(triangles).toBeGreaterThan(200_000);
    expect(median).toBeLessThan(2);
    const half = heaps.length >> 1;
    const mean = (list: number[]) => list.reduce((a, b) => a + b, 0) / list.length;
    expect(mean(heaps.slice(half)) - mean(heaps.slice(0, half))).toBeLessThan(2_000);
  });

  it("is below 3 ms of script a frame while a million points are dug in", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bristle-cost-"));
    const file = join(folder, "digging.yaml");
    writeFileSync(file, digging);
    const program = await start(file);
    const page = await look(program.operator, null, () => localStorage.setItem("bristle-quality", "2"));
    await inScene(page);
    const scripting: number[] = [];
    let triangles = 0;
    for (let i = 0; i < 30; ++i) {
      await page.waitForTimeout(1000);
      const rate = await page.locator(".frame-rate").evaluate((e) => ({ ...(e as HTMLElement).dataset }));
      if (i > 3 && Number(rate["scripting"]) > 0) scripting.push(Number(rate["scripting"]));
      triangles = Math.max(triangles, Number(rate["triangles"]));
    }
    scripting.sort((a, b) => a - b);
    const median = scripting[scripting.length >> 1]!;
    console.log(`digging in a million points: ${triangles} triangles, script ${median.toFixed(2)} ms a frame, at most ${scripting.at(-1)!.toFixed(2)} ms`);
    expect(scripting.length).toBeGreaterThan(10);
    expect(median).toBeLessThan(3);
  });

  it("begins with a picture soon after the address was opened", async () => {
    const program = await start("machine-by-hand");
    const times: number[] = [];
    for (let i = 0; i < 5; ++i) {
      const page = await look(program.operator);
      await page.waitForSelector("canvas[data-drawn]");
      times.push(Number(await page.getAttribute(".stage canvas", "data-drawn")));
      await page.context().close();
    }
    times.sort((a, b) => a - b);
    console.log(`first picture after ${times.join(", ")} ms`);
    expect(times[2]!).toBeLessThan(1000);
  });
});
