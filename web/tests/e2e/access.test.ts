// What tools that check for accessibility find, and what fingers can press.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { inScene, look, openScene, phone, start, until, useBrowser } from "./browser";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string }[];
}
// The page's own security policy forbids scripts that are put into it; evaluate is outside of it.
async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } }).axe.run());
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html.slice(0, 160)).join(" | ")}`);
}

describe("Accessibility", () => {
  useBrowser();

  for (const colorScheme of ["light", "dark"] as const)
    it(`has no serious finding in ${colorScheme}`, async () => {
      const program = await start();
      const page = await look(program.operator, null, undefined, { colorScheme, viewport: { width: 1100, height: 760 } });
      await page.waitForSelector("[data-scene]");
      expect(await seriousFindings(page)).toEqual([]);
      await openScene(page, "four-bar");
      await page.keyboard.press(" ");
      await page.click("#tab-parameters");
      expect(await seriousFindings(page)).toEqual([]);
      await page.keyboard.press("b");
      await page.waitForSelector(".tool-options");
      await page.keyboard.press("m");
      expect(await seriousFindings(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await page.waitForSelector("dialog[open]");
      expect(await seriousFindings(page)).toEqual([]);
    });

  it("fits a phone, with targets of 44 pixels", async () => {
    const program = await start("four-bar");
    const page = await look(program.operator, null, undefined, phone);
    await inScene(page);
    const small = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("button, input, select, [role=slider]")]
          .map((e) => ({ name: e.getAttribute("aria-label") ?? e.textContent, box: e.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
          .map(({ name, box }) => `${name}: ${box.width} × ${box.height}`),
      );
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth || document.querySelector(".top-bar")!.scrollWidth > innerWidth);
    expect(await small()).toEqual([]);
    expect(await isWide()).toBe(false);
    await page.tap("[aria-label='Inspector and controls']");
    await page.waitForSelector(".panel.side");
    expect(await small()).toEqual([]);
    await page.tap("[aria-label='Plots']");
    await page.waitForSelector(".plots");
    expect(await small()).toEqual([]);
    expect(await isWide()).toBe(false);
    // Something is left to be seen.
    expect((await page.locator(".stage canvas").boundingBox())!.height).toBeGreaterThan(150);
  });

  it("tells within a second that the server stands still, and when it goes on", async () => {
    const program = await start("four-bar");
    const page = await look(program.operator, null, () => {
      new MutationObserver(() => {
        const at = (window as unknown as { silentAt?: number });
        if (document.querySelector(".banner.silent")) at.silentAt ??= performance.now();
      }).observe(document, { childList: true, subtree: true });
    });
    await inScene(page);
    const asked = await page.evaluate(() => performance.now());
    program.freeze();
    try {
      await page.waitForSelector(".banner.silent");
      const told = await page.evaluate(() => (window as unknown as { silentAt: number }).silentAt);
      expect(told - asked).toBeLessThan(2000); // 850 ms where the machine has time for it
    } finally {
      program.thaw();
    }
    await until(async () => (await page.locator(".banner.silent").count()) === 0);
  });
});
