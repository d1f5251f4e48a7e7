// Adding things that one has chosen, seeing them before, and undoing it; plots that know what was before.
import { describe, it } from "vitest";
import { count, countIs, inScene, look, start, timeReaches, until, useBrowser } from "./browser";

describe("Making", () => {
  useBrowser();

  it("adds what was chosen, with a ghost before, and undoes it", async () => {
    const program = await start("box-stack");
    const page = await look(program.operator, null, undefined, { viewport: { width: 900, height: 600 } });
    await inScene(page);
    await page.keyboard.press(" ");
    const before = await count(page, "Bodies");
    await page.keyboard.press("b");
    await page.fill(".tool-options [name=x]", "0.3");
    await page.fill(".tool-options [name=mass]", "7");
    await page.keyboard.press("Tab");
    const box = (await page.locator(".stage canvas").boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await countIs(page, "Bodies", before + 1);
    await page.keyboard.press("Control+z");
    await countIs(page, "Bodies", before);
    await page.keyboard.press("u");
    await page.waitForSelector(".notice.error:has-text('nothing was added or removed')");
  });

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
