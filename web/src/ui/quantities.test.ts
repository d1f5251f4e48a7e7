import { expect, it } from "vitest";
import type { Scene } from "../core/client";
import { singleNumbers, unitOf } from "./quantities";

const scene = { joints: [{ name: "pin", type: "revolute" }, { name: "rail", type: "prismatic" }] } as unknown as Scene;

it("knows units", () => {
  const expected: [string, string][] = [
    ["bar 1.position.x", "m"],
    ["bar.point(1, 0, 0).z", "m"],
    ["bar.angular_velocity.norm", "rad/s"],
    ["pin.reaction.force.norm", "N"],
    ["pin.coordinate", "rad"],
    ["rail.rate", "m/s"],
    ["energy.total", "J"],
    ["contact.count", ""],
  ];
  for (const [quantity, unit] of expected) expect(unitOf(quantity, scene), quantity).toBe(unit);
});
it("leaves out names that stand for several numbers", () => {
  expect(singleNumbers(["a.position", "a.position.x", "a.position.y", "pin.angle"])).toEqual([
    "a.position.x",
    "a.position.y",
    "pin.angle",
  ]);
});
