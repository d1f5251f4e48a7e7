import { describe, expect, it } from "vitest";
import type { Scene } from "../core/client";
import { boundsOf, widen } from "./bounds";
import { Vector3 } from "three";
import { writeFrames } from "./math";
import { partsOf } from "./parts";
import { Kind } from "./pick";

const still = [1, 0, 0, 0];
function made(scene: Partial<Scene>, ...positions: number[][]) {
  const full = {
    bodies: [[0, 0, 0], ...positions].map((_, i) => ({ name: `${i}`, mass: 1 })),
    parts: [], surfaces: [], joints: [], links: [], low: [], high: [], gravity: [0, 0, -9.81], look_along: [], ...scene,
  } as unknown as Scene;
  const frames = new Float32Array(12 * full.bodies.length);
  writeFrames(new Float32Array([[0, 0, 0], ...positions].flatMap((p) => [...p, ...still])), frames);
  return boundsOf(full, partsOf(full), frames);
}
const part = (body: number, kind: Kind, size: number[]) => ({ body, kind, size, pose: [0, 0, 0, ...still] }) as unknown as Scene["parts"][number];

describe("what should be in the picture", () => {
  it("is where a pendulum will swing, but not above it", () => {
    const joints = [{ type: "revolute", a: 0, b: 1, at_a: [0, 0, 3], at_b: [-2, 0, 0], axis: [0, 1, 0] }] as unknown as Scene["joints"];
    const { low, high } = made({ joints, low: [0, 0, 3], high: [2, 0, 3] }, [2, 0, 3]);
    expect(low.toArray()).toEqual([-2, 0, 1]);
    expect(high.toArray()).toEqual([2, 0, 3]);
  });
  it("is not where a carriage on a rail would swing", () => {
    const joints = [
      { type: "prismatic", a: 0, b: 1, at_a: [2, 0, 0], at_b: [0, 0, 0], axis: [1, 0, 0] },
      { type: "distance", a: 0, b: 1, at_a: [7, 0, 0], at_b: [0, 0, 0], axis: [] },
    ] as unknown as Scene["joints"];
    const { low, high } = made({ joints, low: [0, 0, 0], high: [7, 0, 1] }, [2, 0, 0]);
    expect(low.toArray()).toEqual([0, 0, 0]);
    expect(high.toArray()).toEqual([7, 0, 1]);
  });
  it("is the floor that something falls on", () => {
    const parts = [part(0, Kind.plane, []), part(1, Kind.sphere, [0.1]), part(2, Kind.sphere, [0.1])];
    const joints = [{ type: "fixed", a: 1, b: 2 }] as unknown as Scene["joints"];
    const { low } = made({ parts, joints, low: [-0.1, -0.1, 0.9], high: [0.1, 0.1, 1.1] }, [0, 0, 1], [0, 0, 1]);
    expect(low.z).toBeCloseTo(0, 6);
  });
  it("is not all of a belt that is much longer than what lies on it", () => {
    const parts = [part(1, Kind.box, [40, 1, 0.1]), part(2, Kind.sphere, [0.1]), part(3, Kind.sphere, [0.1])];
    const { low, high, unit } = made({ parts, low: [-20, -0.5, -0.05], high: [20, 0.5, 0.3] }, [0, 0, 0], [1, 0, 0.15], [2, 0, 0.15]);
    expect(low.x).toBeCloseTo(0.9, 6);
    expect(high.x).toBeCloseTo(2.1, 6);
    expect(unit).toBeCloseTo(0.1, 6);
  });
  it("is where a surface is, and not as far around its frame as it reaches", () => {
    const surfaces = [{ vertices: [9, -1, 1, 15, -1, 1, 15, 1, 3], triangles: [0, 1, 2] }] as unknown as Scene["surfaces"];
    const { low, high } = made({ parts: [part(1, Kind.surface, [])], surfaces, joints: [{ type: "gear" }] as unknown as Scene["joints"], low: [9, -1, 1], high: [15, 1, 3] }, [0, 0, 0]);
    expect([low.x, high.x, low.z, high.z]).toEqual([9, 15, 1, 3]);
  });
  it("does not follow what falls for ever", () => {
    const bounds = made({ parts: [part(1, Kind.sphere, [0.1])], joints: [{ type: "gear" }] as unknown as Scene["joints"] }, [0, 0, 0]);
    const frames = new Float32Array(24);
    writeFrames(new Float32Array([0, 0, 0, ...still, 0, 0, -5, ...still]), frames);
    expect(widen(bounds, { bodies: [{}, {}] } as unknown as Scene, frames, new Vector3(), 10)).toBe(false);
  });
  it("grows with what leaves it, but does not follow what flies away", () => {
    const parts = [part(1, Kind.sphere, [0.1]), part(2, Kind.sphere, [0.1])];
    const scene = { bodies: [{}, {}, {}] } as unknown as Scene;
    const bounds = made({ parts, joints: [{ type: "gear" }] as unknown as Scene["joints"] }, [0, 0, 0], [1, 0, 0]);
    const frames = new Float32Array(36);
    const put = (x: number) => writeFrames(new Float32Array([0, 0, 0, ...still, 0, 0, 0, ...still, x, 0, 0, ...still]), frames);
    put(1);
    expect(widen(bounds, scene, frames, new Vector3(), 10)).toBe(false);
    put(3);
    expect(widen(bounds, scene, frames, new Vector3(), 10)).toBe(true);
    expect(bounds.high.x).toBeGreaterThan(3);
    put(30);
    expect(widen(bounds, scene, frames, new Vector3(), 10)).toBe(false);
  });
  it("has the frame that stands around, and not the hall", () => {
    const parts = [part(1, Kind.box, [1, 1, 1]), part(0, Kind.box, [0.1, 0.1, 1.4]), part(0, Kind.box, [9, 9, 9])];
    const { high } = made({ bodies: [{}, {}, {}, {}] as unknown as Scene["bodies"], parts, low: [-0.5, -0.5, -0.5], high: [0.5, 0.5, 0.5] }, [0, 0, 0]);
    expect(high.z).toBeCloseTo(0.7, 6);
    expect(high.x).toBeCloseTo(0.5, 6);
  });
  it("lets go of what nothing holds when it falls below everything, and goes down with what is held", () => {
    const bodies = [{}, {}, {}] as unknown as Scene["bodies"];
    const parts = [part(1, Kind.sphere, [0.1]), part(2, Kind.sphere, [0.1])];
    const frames = new Float32Array(36);
    const fallen = new Float32Array([0, 0, 0, ...still, 0, 0, 0, ...still, 0, 0, -2, ...still]);
    for (const isHeld of [false, true]) {
      const joints = (isHeld ? [{ type: "prismatic", a: 0, b: 2 }] : [{ type: "gear" }]) as unknown as Scene["joints"];
      const bounds = made({ bodies, parts, joints }, [0, 0, 0], [1, 0, 0]);
      writeFrames(fallen, frames);
      expect(widen(bounds, { bodies } as Scene, frames, new Vector3(), 10)).toBe(isHeld);
    }
  });
  it("has a size even if there is nothing", () => {
    expect(made({}).radius).toBeGreaterThan(0);
    expect(made({ low: [1, 1, 1], high: [1, 1, 1] }, [1, 1, 1]).radius).toBeGreaterThan(0);
  });
});
