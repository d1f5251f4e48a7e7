// The numbers of the timeline: speeds on a logarithmic slider, places on the scrubber, and how they are written.

export const slowest = 0.01;
export const fastest = 100;
export const presets = [0.25, 0.5, 1, 2, 5];
const ladder = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];

// 0 … 1 to slowest … fastest. Near a preset it snaps, so that real time can be hit by hand.
export function speedAt(share: number): number {
  const speed = slowest * (fastest / slowest) ** clamp(share, 0, 1);
  for (const nice of [slowest, ...presets, fastest]) if (Math.abs(Math.log(speed / nice)) < 0.06) return nice;
  return Number(speed.toPrecision(2));
}

export function shareOfSpeed(speed: number): number {
  return clamp(Math.log(speed / slowest) / Math.log(fastest / slowest), 0, 1);
}

// The next rung up (+1) or down (-1).
export function nextSpeed(speed: number, direction: 1 | -1): number {
  const near = 1e-9;
  if (direction > 0) return ladder.find((s) => s > speed * (1 + near)) ?? fastest;
  return [...ladder].reverse().find((s) => s < speed * (1 - near)) ?? slowest;
}

export function speedText(speed: number): string {
  if (speed === 0.25) return "¼×";
  if (speed === 0.5) return "½×";
  return `${Number(speed.toPrecision(3))}×`;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

export function shareOfTime(time: number, first: number, last: number): number {
  return last > first ? clamp((time - first) / (last - first), 0, 1) : 1;
}

export function timeAt(share: number, first: number, last: number): number {
  return first + clamp(share, 0, 1) * (last - first);
}

// Marks at 1, 2 or 5 times a power of ten, at most `most` of them.
export function marks(first: number, last: number, most: number): number[] {
  const span = last - first;
  if (!(span > 0) || most < 1) return [];
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? 10 * power;
  const found: number[] = [];
  for (let i = Math.ceil(first / step - 1e-9); i * step <= last + 1e-9 * span; ++i) found.push(tidy(i * step));
  return found;
}

function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

// 3.250 s, 1:02.500, 1:00:00.000
export function timeText(time: number, digits = 3): string {
  const sign = time < 0 ? "−" : "";
  const whole = Number(Math.abs(time).toFixed(digits));
  if (whole < 60) return `${sign}${whole.toFixed(digits)} s`;
  const seconds = (whole % 60).toFixed(digits).padStart(digits ? digits + 3 : 2, "0");
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${sign}${minutes}:${seconds}`;
  return `${sign}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${seconds}`;
}

// What an axis shows for values from `low` to `high`: a little more than those. A constant with rounding in its last
// digits is shown as a constant: an axis of that width would need marks that numbers cannot tell apart. What stays within `noise`,
// in the unit of the values, is a line: its axis is a hundred times as wide.
export function axisRange(low: number | null, high: number | null, noise = 1e-9): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (size === 0) return [-1, 1];
  const least = Math.max(1e-6 * size, 100 * noise);
  const isStill = high - low < Math.max(1e-6 * size, noise);
  const margin = isStill ? least : 0.06 * (high - low);
  return [low - margin, high + margin];
}

// Four significant digits, in a width that does not jump about.
export function numberText(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2).replace("-", "−").replace("e+", "e");
  const digits = size >= 1000 ? 1 : size >= 100 ? 2 : size >= 10 ? 3 : 4;
  return value.toFixed(digits).replace("-", "−");
}

// A duration as a person reads it: 12 µs, 3.4 ms, 1.2 s.
export function durationText(seconds: number): string {
  if (seconds <= 0) return "0";
  if (seconds < 1e-3) return `${Number((seconds * 1e6).toPrecision(2))} µs`;
  if (seconds < 1) return `${Number((seconds * 1e3).toPrecision(2))} ms`;
  return `${Number(seconds.toPrecision(3))} s`;
}
