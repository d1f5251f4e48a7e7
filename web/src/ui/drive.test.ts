import { expect, it, vi } from "vitest";

vi.stubGlobal("matchMedia", () => ({ matches: false }));
const { Held } = await import("./drive");

function held() {
  const sent: [string, number][] = [];
  return { sent, device: new Held((control, value) => sent.push([control, value])) };
}

it("sends only what changed by more than a tremble, and the ends exactly", () => {
  const { sent, device } = held();
  for (const value of [0, 0.5, 0.502, 0.51, 0.998, 1, 1, 0.003, 0]) device.set("axis 0", value);
  expect(sent.map(([, value]) => value)).toEqual([0.5, 0.51, 0.998, 1, 0.003, 0]);
});
it("lets go of what is held, once", () => {
  const { sent, device } = held();
  device.set("key w", 1);
  device.set("key s", 1);
  device.set("key s", 0);
  device.release();
  device.release();
  expect(sent).toEqual([["key w", 1], ["key s", 1], ["key s", 0], ["key w", 0]]);
});
