import { describe, expect, it } from "vitest";
import type { Order } from "../../src/core/messages";
import { count, countIs, inScene, look, placeOf, runs, start, useBrowser, values } from "./browser";

const isBody = (subject: string) => /^box/.test(subject);

describe("A planar scene", () => {
  useBrowser();

  it("is held in its plane", async () => {
    const program = await start("stack-of-20");
    const page = await look(program.operator);
    await inScene(page);
    await page.keyboard.press("i");
    const { x, y, subject } = await placeOf(page, isBody);
    await page.keyboard.press("i");
    await page.keyboard.press("g");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 80, y - 60, { steps: 6 });
    await page.keyboard.press("i");
    const position = async (axis: string) => Number((await values(page))[`${subject}.position.${axis}`]);
    await expect.poll(() => position("x"), { timeout: 20_000 }).toBeGreaterThan(0.3);
    expect(Math.abs(await position("y"))).toBeLessThan(1e-6);
    await page.mouse.up();
  });

  it("takes boxes and balls in its plane", async () => {
    const program = await start("stack-of-20");
    const page = await look(program.operator);
    await inScene(page);
    await page.keyboard.press("n");
    await page.keyboard.press("w");
    const bodies = await count(page, "Bodies");
    const box = (await page.locator(".stage canvas").boundingBox())!;
    const at = (right: number, down: number) => [box.x + right * box.width, box.y + down * box.height] as const;

    // Sky, and far down in front of it the ground.
    await page.keyboard.press("b");
    await page.mouse.click(...at(0.85, 0.2));
    await countIs(page, "Bodies", bodies + 1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("o");
    await page.mouse.click(...at(0.9, 0.95));
    await countIs(page, "Bodies", bodies + 2);
  });

  it("takes what is drawn by clicks in its plane, where they are seen", async () => {
    const program = await start("stack-of-20", "--paused"); // so that bodies stay where they are seen
    const page = await look(program.operator);
    const orders: Order[] = [];
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => orders.push(JSON.parse(String(payload)))));
    await page.reload();
    await inScene(page);
    await runs(page, false);
    await page.keyboard.press("i");
    const { x, y } = await placeOf(page, isBody);
    const box = (await page.locator(".stage canvas").boundingBox())!;
    const at = (right: number, down: number) => [box.x + right * box.width, box.y + down * box.height] as const;
    // A box stays where it was put: in the air, not on the ground that is seen behind it.
    await page.keyboard.press("b");
    await page.mouse.click(...at(0.25, 0.2));
    await page.keyboard.press("Escape");
    const subject = async () => {
      await page.mouse.click(...at(0.25, 0.2));
      return (await page.getAttribute(".inspector", "data-subject")) ?? "";
    };
    await expect.poll(subject, { timeout: 60_000 }).toMatch(/^box/);
    expect(Number((await values(page))[`${await subject()}.position.z`])).toBeGreaterThan(5);
    await page.keyboard.press("i");
    // The tree makes only the rows one can see: the other groups come into sight when that of the bodies is folded, and a
    // selected body would unfold it.
    await page.mouse.click(...at(0.25, 0.5));
    await page.keyboard.press("n");
    await page.keyboard.press("w");
    await page.click('.tree-row.depth-1:has(.label:text-is("Bodies"))');
    await page.waitForSelector(".tree-row.depth-2", { state: "detached" });

    await page.keyboard.press("k");
    await page.mouse.click(x, y);
    await page.mouse.click(...at(0.8, 0.1));
    await countIs(page, "Springs", 1);
    // Its other end is fixed in the plane, nearly as high as the stack of 10 m: ground far behind would look just the same.
    const [spring] = orders.flatMap((order) => ("add_spring" in order ? [order.add_spring] : []));
    expect(spring!.b).toBe(0);
    const [right, depth, up] = spring!.at_b!;
    expect(right).toBeCloseTo(8.0, 0);
    expect(depth).toBeCloseTo(0, 6);
    expect(up).toBeCloseTo(9.4, 0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.mouse.click(x, y);
    await page.mouse.click(...at(0.8, 0.1));
    await countIs(page, "Joints", 1);
  });
});
