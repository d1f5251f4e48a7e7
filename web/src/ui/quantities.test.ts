import { expect, it } from "vitest";
import type { Scene } from "../core/client";
import { singleNumbers, unitOf, withoutNoise } from "./quantities";

const scene = { quantities: ["motor.effort", "bar.acceleration.x"], units: ["N m", "m/s²"], joints: [{ name: "pin", type: "revolute" }, { name: "rail", type: "prismatic" }, { name: "cone", type: "swing gauge" }] } as unknown as Scene;

it("knows units", () => {
  const expected: [string, string][] = [
    ["bar 1.position.x", "m"],
    ["bar.point(1, 0, 0).z", "m"],
    ["bar.angular_velocity.norm", "rad/s"],
    ["pin.reaction.force.norm", "N"],
    ["pin.coordinate", "rad"],
    ["rail.rate", "m/s"],
    ["energy.total", "J"],
    ["energy.contact", "J"],
    ["bar.body_angular_velocity.x", "rad/s"],
    ["bar.angular_momentum(0, 0, 1).x", "N m s"],
    ["momentum.angular.z", "N m s"],
    ["momentum.linear.z", "N s"],
    ["momentum.spin.z", "N m s"],
    ["cone.coordinate", "rad"],
    ["contact.count", ""],
    ["motor.effort", "N m"],
    ["bar.acceleration.x", "m/s²"],
  ];
  for (const [quantity, unit] of expected) expect(unitOf(quantity, scene), quantity).toBe(unit);
});
it("takes rounding errors for nothing, and counts as they are", () => {
  const machine = { bodies: [{}, { mass: 20_000 }], low: [0, 0, 0], high: [8, 0, 0] } as unknown as Scene;
  expect(withoutNoise(-1.46e-15, "m", machine)).toBe(0);
  expect(withoutNoise(1e-4, "N", machine)).toBe(0);
  expect(withoutNoise(1e-4, "m", machine)).toBe(1e-4);
  expect(withoutNoise(1e-12, "", machine)).toBe(1e-12);
});
it("leaves out names that stand for several numbers", () => {
  expect(singleNumbers(["a.position", "a.position.x", "a.position.y", "pin.angle"])).toEqual([
    "a.position.x",
    "a.position.y",
    "pin.angle",
  ]);
});
