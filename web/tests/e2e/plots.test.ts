// Plots that know what was before. Undoing is in tests/live/undo_test.cpp.
import { describe, it } from "vitest";
import { inScene, look, start, timeReaches, until, useBrowser } from "./browser";

describe("Plots", () => {
  useBrowser();

  it("knows what happened before a plot was opened", async () => {
    const program = await start("pendulum");
    const page = await look(program.operator);
    await inScene(page);
    await timeReaches(page, 1.5);
    await page.keyboard.press(" ");
    await page.evaluate(() => location.reload());
    await inScene(page);
    await page.keyboard.press("p");
    await page.waitForSelector(".plots article");
    await page.click(".plots .segments button:has-text('All')");
    const points = async () => Number(await page.locator(".plots .chart").first().getAttribute("data-points"));
    await until(async () => (await points()) > 100);
  });
});
