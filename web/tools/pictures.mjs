// Takes the pictures of the gallery: every scene after a fifth of its duration, 480 × 300, to public/gallery.
//   BRISTLE=build/release/bristle BRISTLE_PAGES=build/release/web node tools/pictures.mjs [scene …]
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const out = fileURLToPath(new URL("../public/gallery", import.meta.url));
const program = process.env.BRISTLE ?? fileURLToPath(new URL("../../build/release/bristle", import.meta.url));
const [width, height] = [480, 300];

const server = spawn(program, ["view", "--port", "0"], { cwd: mkdtempSync(join(tmpdir(), "bristle-pictures-")) });
process.on("exit", () => server.kill());
server.stderr.resume();
const address = await new Promise((done, failed) => {
  let said = "";
  server.stdout.on("data", (text) => {
    said += text;
    const found = /^Open\s+(\S+)/m.exec(said);
    if (found) done(found[1]);
  });
  server.on("exit", (code) => failed(new Error(`bristle view ended with ${code}`)));
});

const flags = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
// Larger than the picture: a page of its width is laid out as on a phone, whose view has another shape.
const seen = { width: (4 / 3) * width, height: (4 / 3) * height };
const page = await browser.newPage({ viewport: { width: seen.width, height: seen.height + 88 }, deviceScaleFactor: 1.5, colorScheme: "light" });
page.setDefaultTimeout(120_000); // a thousand bodies without a graphics card take their time
await page.addInitScript(() => localStorage.setItem("bristle-quality", "3"));
await page.goto(address);
await page.waitForSelector(".card");
const all = await page.locator(".card").evaluateAll((cards) => cards.map((card) => card.dataset.scene));
const wanted = process.argv.slice(2);
mkdirSync(out, { recursive: true });

const until = async (isSo) => {
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 20));
};
const time = async () => Number(await page.getAttribute(".now", "data-time"));

for (const scene of all.filter((name) => !wanted.length || wanted.includes(name))) {
  await page.click(`[data-scene="${scene}"]`);
  await page.waitForSelector(".now[data-time]");
  await page.click(".try button"); // the hint
  const duration = Number(await page.getAttribute(".scrubber", "data-duration"));
  const moment = 0.2 * duration;
  await until(async () => (await time()) >= moment);
  await page.keyboard.press("Space");
  await page.waitForSelector(".timeline[data-running=false]");
  // Back to it: by now it is past that, by how much depends on the machine.
  const track = await page.locator(".track").boundingBox();
  const last = Number(await page.getAttribute(".scrubber", "data-last"));
  await page.mouse.click(track.x + (track.width * moment) / last, track.y + 2);
  await until(async () => (await time()) < moment + 0.1);
  await page.keyboard.press("w");
  await page.keyboard.press("f");
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.move(1, 1);
  // Until the camera has come to rest.
  const clip = await page.locator(".stage").boundingBox();
  if (clip.width !== seen.width || clip.height !== seen.height) throw new Error(`the view is ${clip.width} × ${clip.height}: it would be distorted`);
  let [png, before] = ["", null];
  while (png !== before) [png, before] = [(await page.screenshot({ clip })).toString("base64"), png];
  const webp = await page.evaluate(
    async ([png, width, height]) => {
      const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      const context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(picture, 0, 0, width, height);
      return canvas.toDataURL("image/webp", 0.8).split(",")[1];
    },
    [png, width, height],
  );
  writeFileSync(join(out, `${scene}.webp`), Buffer.from(webp, "base64"));
  console.log(`${scene}: ${(await time()).toFixed(2)} s, ${Math.round((0.75 * webp.length) / 1024)} kB`);
  await page.click("[aria-label='Back to the gallery']");
  await page.waitForSelector(".card:not(:disabled)");
}
await browser.close();
process.exit();
