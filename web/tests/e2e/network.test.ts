import { describe, expect, it } from "vitest";
import type { Order } from "../../src/core/messages";
import { bristle } from "../../src/core/protocol.js";
import { inScene, look, runs, start, time, timeReaches, until, useBrowser } from "./browser";
import { Line, RawClient } from "./wire";

describe("The network", () => {
  useBrowser();

  it("lets a viewer watch and not steer", async () => {
    const program = await start("four-bar");
    const operator = await look(program.operator);
    await inScene(operator);
    const viewer = await look(program.viewer);
    await inScene(viewer);
    await viewer.waitForSelector("[data-role=viewer]");
    expect(await viewer.locator(".transport button:not(:disabled)").count()).toBe(0);
    expect(await viewer.locator("text=Take the seat").count()).toBe(0);
    await viewer.keyboard.press("Space");
    await timeReaches(viewer, (await time(viewer)) + 0.3);
    // Nor can a page that was tampered with.
    const token = new URL(program.viewer).hash.slice("#token=".length);
    const protocol = bristle.wire.Agreed.PROTOCOL_VERSION;
    const orders: Order[] = [
      { id: 1, hello: { protocol, token, role: "OPERATOR", client: "x" } },
      { id: 2, pause: {} },
      { id: 3, take: {} },
    ];
    const answers = await viewer.evaluate(
      (orders) =>
        new Promise<string[]>((done) => {
          const heard: string[] = [];
          const socket = new WebSocket(`ws://${location.host}/live`);
          socket.onopen = () => {
            for (const order of orders) socket.send(JSON.stringify(order));
          };
          socket.onmessage = (message) => {
            if (typeof message.data !== "string" || !message.data.includes('"error"')) return;
            heard.push(message.data);
            if (heard.length === 2) done(heard);
          };
        }),
      orders,
    );
    expect(answers[0]).toContain("pause: only the operator");
    expect(answers[1]).toContain("this token is for viewers");
    await operator.keyboard.press("Space");
    await runs(viewer, false);
  });

  it("gives the seat to a second operator that takes it", async () => {
    const program = await start("four-bar");
    const first = await look(program.operator);
    await inScene(first);
    const second = await look(program.operator);
    await second.waitForSelector("[data-role=viewer]");
    await second.click("text=Take the seat");
    await second.waitForSelector("[data-role=operator]", { state: "attached" });
    await first.waitForSelector("[data-role=viewer]");
  });

  it("refuses a wrong token and says where the right one is", async () => {
    const program = await start("four-bar");
    const page = await look(program.operator.replace(/token=.*/, "token=wrong"));
    await page.waitForSelector(".refused >> text=bristle view");
  });

  it("is not held up by a client that stops reading", async () => {
    const program = await start("wave");
    const stuck = await RawClient.connect(program.viewer);
    stuck.stopReading();
    const other = await RawClient.connect(program.viewer);
    const page = await look(program.operator);
    await inScene(page);
    const [from, states] = [await time(page), other.states];
    await until(async () => other.states >= states + 60);
    await timeReaches(page, from + 0.5);
    stuck.end();
    other.end();
  });

  it("comes back by itself when the connection was lost", async () => {
    const program = await start("four-bar");
    const line = await Line.to(program.port);
    const address = program.operator.replace(`:${program.port}/`, `:${line.port}/`);
    const page = await look(address, /WebSocket connection|ERR_/);
    await inScene(page);
    line.cut();
    await page.waitForSelector(".banner >> text=connection was lost");
    line.mend();
    await page.waitForSelector(".banner", { state: "detached" });
    await page.waitForSelector("[data-role=operator]", { state: "attached" });
    await timeReaches(page, (await time(page)) + 0.3);
    await page.keyboard.press("Space");
    await runs(page, false);
    line.end();
  });

  it("draws a thousand moving bodies in few calls and little time", async () => {
    const program = await start("wave");
    const page = await look(program.operator);
    await inScene(page);
    await timeReaches(page, 0.5);
    await page.waitForSelector(".frame-rate:not([data-calls='0'])", { state: "attached" });
    const measured = await page.locator(".frame-rate").evaluate((e: HTMLElement) => ({ ...e.dataset }));
    console.log("1,000 bodies:", measured);
    expect(Number(measured["calls"])).toBeLessThanOrEqual(30);
    expect(Number(measured["scripting"])).toBeLessThanOrEqual(4);
  });
});
