import { Matrix4, Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { State } from "../core/client";
import { interpolatePoses } from "../core/playout";
import { ArrowScale, directionIn, localFrame, pointIn, roundUp, withPrefix, writeFrame, writeFrames, writeMatrix, writePoint, writeSideways, writeAim } from "./math";

// The same numbers in every run.
function numbers(seed: number): () => number {
  let s = seed;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 2 ** 31 - 1;
  };
}
function anyPose(next: () => number): number[] {
  const q = new Quaternion(next(), next(), next(), next()).normalize();
  return [next(), next(), next(), q.w, q.x, q.y, q.z];
}
function threeMatrix(pose: number[], scale = new Vector3(1, 1, 1)): Matrix4 {
  return new Matrix4().compose(new Vector3(pose[0], pose[1], pose[2]), new Quaternion(pose[4], pose[5], pose[6], pose[3]), scale);
}

describe("matrices of instances", () => {
  it("are those of three", () => {
    const next = numbers(1);
    for (let i = 0; i < 50; ++i) {
      const [body, part] = [anyPose(next), anyPose(next)];
      const scale: [number, number, number] = [1 + next() / 2, 1 + next() / 2, 1 + next() / 2];
      const frame = new Float32Array(12);
      writeFrame(body, 0, frame, 0);
      const out = new Float32Array(16);
      writeMatrix(frame, 0, localFrame(part, scale), 0, out, 0);
      const expected = threeMatrix(body).multiply(threeMatrix(part, new Vector3(...scale)));
      // Single precision.
      expected.elements.forEach((e, k) => expect(out[k]).toBeCloseTo(e, 5));
    }
  });

  it("are written for all bodies, and points go there and back", () => {
    const next = numbers(2);
    const poses = [anyPose(next), anyPose(next), anyPose(next)];
    const frames = new Float32Array(36);
    writeFrames(new Float32Array(poses.flat()), frames);
    const point = [0, 0, 0];
    writePoint(frames, 24, [1, 2, 3], point);
    const expected = new Vector3(1, 2, 3).applyMatrix4(threeMatrix(poses[2]!));
    expected.toArray().forEach((e, k) => expect(point[k]).toBeCloseTo(e, 5));
    pointIn(frames, 24, point).forEach((value, k) => expect(value).toBeCloseTo(k + 1, 5));
    expect(Math.hypot(...directionIn(frames, 12, [0, 0, 2]))).toBeCloseTo(2, 5);
  });

  it("take a part without a pose as one at the origin", () => {
    expect([...localFrame([], [2, 3, 4])]).toEqual([2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);
  });
});

describe("sideways", () => {
  it("is of unit length and at right angles, for any direction", () => {
    const out = [0, 0, 0];
    for (const d of [[1, 0, 0], [0, -2, 0], [0, 0, 3], [1, 1, 1], [1e-9, 1, -1]] as const) {
      writeSideways(d[0], d[1], d[2], out);
      expect(Math.hypot(...out)).toBeCloseTo(1, 12);
      expect(out[0]! * d[0] + out[1]! * d[1] + out[2]! * d[2]).toBeCloseTo(0, 12);
    }
  });
});

describe("poses between two states", () => {
  const at = (share: number, a: number[], b: number[]) => {
    const state = (poses: number[]) => ({ poses }) as unknown as State;
    const out = new Float32Array(7);
    interpolatePoses({ from: state(a), to: state(b), share }, out);
    return [...out];
  };
  const turned = (angle: number, sign = 1) => [0, 0, 0, sign * Math.cos(angle / 2), 0, 0, sign * Math.sin(angle / 2)];

  it("are halfway at half", () => {
    const half = at(0.5, turned(0), turned(1));
    turned(0.5).forEach((e, k) => expect(half[k]).toBeCloseTo(e, 6));
  });
  it("take the shorter arc when the sign of the quaternion flips", () => {
    const half = at(0.5, turned(0.2), turned(0.4, -1));
    turned(0.3).forEach((e, k) => expect(half[k]).toBeCloseTo(e, 6));
  });
  it("stay where both are the same", () => {
    at(0.3, turned(0.7), turned(0.7)).forEach((e, k) => expect(e).toBeCloseTo(turned(0.7)[k]!, 6));
  });
  it("are of unit length even between opposite orientations", () => {
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const q = at(share, turned(0), turned(Math.PI)).slice(3);
      expect(Math.hypot(...q)).toBeCloseTo(1, 6);
    }
  });
});

describe("the scale of arrows", () => {
  it("is written with a prefix", () => {
    expect([0.002, 0.05, 0.5, 1, 500, 20000, 5e6].map((x) => withPrefix(x, "N"))).toEqual(["2 mN", "50 mN", "0.5 N", "1 N", "500 N", "20 kN", "5 MN"]);
  });
  it("is round", () => {
    expect([0.011, 0.2, 3, 7, 100, 1234].map(roundUp)).toEqual([0.02, 0.2, 5, 10, 100, 2000]);
    expect(roundUp(0)).toBe(1);
  });
  it("is not shrunk by one knock among many", () => {
    const scale = new ArrowScale();
    const values = new Float32Array(20).fill(8);
    scale.see(values, 20);
    values[3] = 1e6;
    expect(scale.see(values, 20)).toBe(10);
  });
  it("keeps its value through small changes and without forces", () => {
    const scale = new ArrowScale();
    const one = new Float32Array(1);
    const seen = new Set<number>();
    for (let i = 0; i < 500; ++i) {
      one[0] = 7 + 2 * Math.sin(i / 10);
      seen.add(scale.see(one, i % 50 === 49 ? 0 : 1));
    }
    expect([...seen]).toEqual([10]);
  });
  it("follows what grows, and what stays small after some time", () => {
    const scale = new ArrowScale();
    const one = new Float32Array([1]);
    scale.see(one, 1);
    one[0] = 900;
    for (let i = 0; i < 60; ++i) scale.see(one, 1);
    expect(scale.value).toBe(1000);
    one[0] = 1;
    for (let i = 0; i < 1000; ++i) scale.see(one, 1);
    expect(scale.value).toBeLessThan(10);
  });
});

describe("what looks at a point", () => {
  it("has its z towards it, and is as far along as it says", () => {
    const out = new Float32Array(24);
    for (const to of [[3, 4, 12], [0, 0, 5], [1, -2, -0.5], [-1, 0, 0]]) {
      writeAim([1, 2, 3], to.map((x, k) => x + [1, 2, 3][k]!), 2, out, 12);
      const length = Math.hypot(...to);
      for (let k = 0; k < 3; ++k) {
        expect(out[12 + 6 + k]).toBeCloseTo(to[k]! / length, 5);
        expect(out[12 + 9 + k]).toBeCloseTo([1, 2, 3][k]! + (2 * to[k]!) / length, 5);
        // Its axes are of length one and across each other.
        expect(Math.hypot(out[12 + 3 * k]!, out[13 + 3 * k]!, out[14 + 3 * k]!)).toBeCloseTo(1, 5);
      }
    }
  });
  it("stays a frame where there is nothing to look at, and straight behind", () => {
    const out = new Float32Array(12);
    writeAim([0, 0, 0], [0, 0, 0], 1, out, 0);
    expect([...out].every(Number.isFinite)).toBe(true);
    writeAim([0, 0, 0], [0, 0, -1], 1, out, 0);
    expect([...out].every(Number.isFinite)).toBe(true);
    expect(out[8]).toBeCloseTo(-1, 3);
  });
});
