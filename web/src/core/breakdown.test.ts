import { expect, it } from "vitest";
import { breakdownAfter } from "./breakdown";

const state = (time: number, last: number, trouble = "") => ({ time, transport: { last, trouble } }) as never;

it("stays while what led to it is looked at", () => {
  const failed = breakdownAfter(null, state(2, 2, "it broke"));
  expect(failed).toEqual({ at: 2, why: "it broke" });
  expect(breakdownAfter(failed, state(2, 2, "it broke"))).toBe(failed);
  expect(breakdownAfter(failed, state(0.5, 2))).toBe(failed);
  expect(breakdownAfter(failed, state(2, 2))).toBe(failed);
});
it("is gone once it went on, or somebody changed what led to it", () => {
  const failed = { at: 2, why: "it broke" };
  expect(breakdownAfter(failed, state(2.005, 2.005))).toBeNull();
  expect(breakdownAfter(failed, state(0.5, 0.5))).toBeNull();
  expect(breakdownAfter(null, state(1, 1))).toBeNull();
});
