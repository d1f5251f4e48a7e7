import { describe, expect, it } from "vitest";
import { axisRange, durationText, fastest, marks, nextSpeed, numberText, shareOfSpeed, shareOfTime, slowest, speedAt, timeAt, timeText } from "./scale";

describe("speed", () => {
  it("runs over the whole slider, with real time in the middle", () => {
    expect(speedAt(0)).toBe(slowest);
    expect(speedAt(0.5)).toBe(1);
    expect(speedAt(1)).toBe(fastest);
  });
  it("snaps to a preset near it", () => expect(speedAt(shareOfSpeed(0.51))).toBe(0.5));
  it("goes there and back", () => {
    for (const speed of [0.03, 0.17, 3, 37]) expect(speedAt(shareOfSpeed(speed))).toBeCloseTo(speed, 6);
  });
  it("climbs the ladder from between the rungs and stops at its ends", () => {
    expect(nextSpeed(1, 1)).toBe(2);
    expect(nextSpeed(1, -1)).toBe(0.5);
    expect(nextSpeed(3, -1)).toBe(2);
    expect(nextSpeed(fastest, 1)).toBe(fastest);
    expect(nextSpeed(slowest, -1)).toBe(slowest);
  });
});

describe("scrubber", () => {
  it("maps times to places and back, within its ends", () => {
    expect(shareOfTime(5, 0, 20)).toBe(0.25);
    expect(timeAt(0.25, 10, 20)).toBe(12.5);
    expect(timeAt(2, 10, 20)).toBe(20);
  });
  it("is at its end while there is nothing to go back to", () => expect(shareOfTime(0, 0, 0)).toBe(1));
  it("has round marks and not too many", () => {
    expect(marks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(marks(0.25, 0.95, 4)).toEqual([0.4, 0.6, 0.8]);
    expect(marks(3, 3, 4)).toEqual([]);
  });
});

describe("axis", () => {
  it("has room around the values", () => expect(axisRange(0, 100)).toEqual([-6, 106]));
  it("shows noise about zero as zero", () => {
    const [low, high] = axisRange(-3e-15, 2e-15);
    expect(high - low).toBeGreaterThan(1e-9);
  });
  it("shows what a machine of 20 t has of rounding as a line, and what a watch does as a curve", () => {
    const noise = 1e-9 * 2e5; // N
    const [low, high] = axisRange(-3e-5, 2e-5, noise);
    expect(5e-5 / (high - low)).toBeLessThan(0.01);
    const [from, to] = axisRange(-3e-5, 2e-5, 1e-12);
    expect(5e-5 / (to - from)).toBeGreaterThan(0.8);
  });
  it("is never narrower than numbers can tell apart", () => {
    for (const value of [20.45, -3e8, 1e-12]) {
      const [low, high] = axisRange(value, value * (1 + 1e-15));
      expect(high - low).toBeGreaterThan(1e-7 * Math.abs(value));
    }
    expect(axisRange(0, 0)).toEqual([-1, 1]);
  });
  it("does without values", () => expect(axisRange(null, null)).toEqual([-1, 1]));
});

describe("texts", () => {
  it("writes times", () => {
    expect(timeText(3.25)).toBe("3.250 s");
    expect(timeText(62.5)).toBe("1:02.500");
    expect(timeText(3600)).toBe("1:00:00.000");
    expect(timeText(59.9999)).toBe("1:00.000");
    expect(timeText(62, 0)).toBe("1:02");
  });
  it("writes numbers", () => {
    expect(numberText(-1.5)).toBe("−1.5000");
    expect(numberText(12345.67)).toBe("12345.7");
    expect(numberText(1e-7)).toBe("1.00e−7");
    expect(numberText(undefined)).toBe("–");
  });
  it("writes durations", () => {
    expect(durationText(12.3e-6)).toBe("12 µs");
    expect(durationText(0.0034)).toBe("3.4 ms");
    expect(durationText(0)).toBe("0");
  });
});
