import { expect, it } from "vitest";
import type { Scene } from "../core/client";
import { rowsOf, visibleRange } from "./tree";

const scene = {
  bodies: [{ name: "ground" }, { name: "crank" }, { name: "old", is_gone: true }],
  parts: [{ body: 1, kind: 1, name: "" }],
  joints: [{ name: "pin", type: "revolute" }],
  links: [],
} as unknown as Scene;
const labels = (query: string, open: string[]) => rowsOf(scene, [{ name: "boom", unit: "m/s" }], query, new Set(open)).map((r) => r.label);

it("shows groups, and what is in the open ones, without what is gone", () => {
  expect(labels("", ["bodies"])).toEqual(["Bodies", "ground", "crank", "Joints", "Channels"]);
});
it("shows the shapes of an open body", () => {
  expect(labels("", ["bodies", "body 1"])).toEqual(["Bodies", "ground", "crank", "box", "Joints", "Channels"]);
});
it("unfolds what is searched and leaves out empty groups", () => {
  expect(labels("pin", [])).toEqual(["Joints", "pin"]);
  expect(labels("revolute", [])).toEqual(["Joints", "pin"]);
});
it("draws only the rows near the window", () => {
  expect(visibleRange(2400, 240, 24, 1000)).toEqual([92, 118]);
  expect(visibleRange(0, 240, 24, 3)).toEqual([0, 3]);
});
