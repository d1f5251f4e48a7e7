// Starts a command that serves a world, opens the address it prints in a browser, and looks whether a world moves there.
//   node look.mjs PICTURE.png COMMAND…
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const [picture, command, ...args] = process.argv.slice(2);

const server = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((done) => server.on("exit", done));
const address = await new Promise((done, failed) => {
  let said = "";
  server.stdout.on("data", (text) => {
    said += text;
    const found = /^Open\s+(\S+)/m.exec(said);
    if (found) done(found[1]);
  });
  server.on("exit", (code) => failed(new Error(`${command} ended with ${code}: ${said}`)));
});

const flags = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
try {
  const page = await browser.newPage({ viewport: { width: 640, height: 400 }, colorScheme: "light" });
  page.setDefaultTimeout(120_000); // drawing without a graphics card takes its time
  await page.goto(address);
  await page.waitForSelector(".now[data-time]");
  const time = async () => Number(await page.getAttribute(".now", "data-time"));
  const pictureAfter = async (moment) => {
    while ((await time()) < moment) await new Promise((done) => setTimeout(done, 50));
    return page.locator(".stage canvas").screenshot();
  };
  const [first, second] = [await pictureAfter(0.2), await pictureAfter((await time()) + 0.3)];
  writeFileSync(picture, second);
  const { colours, changed } = await page.evaluate(compare, [first.toString("base64"), second.toString("base64")]);
  console.log(`${address.split("#")[0].split("?")[0]} shows ${colours} colours; ${changed} pixels moved`);
  if (colours < 20 || changed < 100) throw new Error("there is no world to be seen");
} finally {
  await browser.close();
  server.kill("SIGTERM");
  await ended;
}

// In the page: how many colours the second picture has, and how many pixels differ from the first.
async function compare(pictures) {
  const [a, b] = await Promise.all(
    pictures.map(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
    }),
  );
  return { colours: new Set(b).size, changed: b.filter((pixel, i) => pixel !== a[i]).length };
}
