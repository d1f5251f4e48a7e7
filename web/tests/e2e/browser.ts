// A browser for a file of tests, and what they look at. Whatever a page complains about fails the test.
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { Program } from "./program";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser: Browser;
let complaints: string[] = [];
let programs: Program[] = [];

export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: flags });
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await Promise.all(programs.map((program) => program.stop()));
    programs = [];
    const said = complaints;
    complaints = [];
    expect(said).toEqual([]);
  });
  afterAll(() => browser.close());
}

export async function start(...args: string[]): Promise<Program> {
  const program = await Program.start(...args);
  programs.push(program);
  return program;
}

// `before` runs in the page before its own scripts.
export async function look(address: string, expected: RegExp | null = null, before?: () => void, how: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 640, height: 400 }, colorScheme: "light", ...how });
  const page = await context.newPage();
  if (before) await page.addInitScript(before);
  const complain = (text: string) => {
    if (!expected?.test(text)) complaints.push(text);
  };
  page.on("console", (message) => message.type() === "error" && complain(message.text()));
  page.on("pageerror", (error) => complain(String(error.stack)));
  await page.goto(address);
  return page;
}

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

export async function openScene(page: Page, name: string): Promise<void> {
  await page.click(`[data-scene="${name}"]`);
  await inScene(page);
}
export async function inScene(page: Page): Promise<void> {
  await page.waitForSelector(".now[data-time]", { timeout: 90_000 }); // its shaders, on a machine that has much else to do
}

export async function time(page: Page): Promise<number> {
  return Number(await page.getAttribute(".now", "data-time"));
}
export async function step(page: Page): Promise<number> {
  return Number(await page.getAttribute(".now", "data-step"));
}
export async function timeReaches(page: Page, wanted: number): Promise<void> {
  await until(async () => (await time(page)) >= wanted);
}
// Playwright's own waitForFunction evaluates text in the page, which its security policy forbids.
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  await expect.poll(isSo, { timeout: 30_000, interval: 30 }).toBe(true);
}
export async function stepIs(page: Page, wanted: number): Promise<void> {
  await page.waitForSelector(`.now[data-step="${wanted}"]`);
}
export async function runs(page: Page, does: boolean): Promise<void> {
  await page.waitForSelector(`.timeline[data-running="${does}"]`);
}

// Numbers of the inspector, all their digits.
export async function values(page: Page): Promise<Record<string, string>> {
  await page.waitForSelector(".values [data-value]");
  await page.waitForSelector(".values [data-quantity]:not([data-value])", { state: "detached" });
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>(".values [data-quantity]")].map((cell) => [
        cell.dataset["quantity"]!,
        cell.dataset["value"]!,
      ]),
    ),
  );
}

// How many there are of a group of the tree.
export async function count(page: Page, group: string): Promise<number> {
  const row = page.locator(".tree-row.depth-1", { has: page.locator(`.label:text-is("${group}")`) });
  return (await row.count()) ? Number(await row.locator(".note").textContent()) : 0;
}
// The first spring or joint needs a new shader, which takes up to half a minute without a graphics card.
export async function countIs(page: Page, group: string, wanted: number): Promise<void> {
  await expect.poll(() => count(page, group), { timeout: 60_000 }).toBe(wanted);
}

// A place on the canvas where the body is seen: picks over a grid, from the middle outwards.
export async function placeOf(page: Page, isIt: (subject: string) => boolean): Promise<{ x: number; y: number; subject: string }> {
  const box = (await page.locator(".stage canvas").boundingBox())!;
  const places = [];
  for (let i = -6; i <= 6; ++i) for (let j = -6; j <= 6; ++j) places.push({ x: i / 14, y: j / 14 });
  places.sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
  for (const place of places) {
    const x = box.x + box.width * (0.5 + place.x);
    const y = box.y + box.height * (0.5 + place.y);
    await page.mouse.click(x, y);
    const subject = (await page.getAttribute(".inspector", "data-subject")) ?? "";
    if (isIt(subject)) return { x, y, subject };
  }
  throw new Error("it is nowhere to be seen");
}
