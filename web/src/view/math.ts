// Poses as matrices, in flat arrays: what runs for every body in every frame makes no objects.
//
// A frame is 12 numbers: the images of x, y, z and the origin.

export type Numbers = ArrayLike<number>;

// Poses are x y z and the quaternion w x y z, of unit length.
export function writeFrame(poses: Numbers, p: number, out: Float32Array, o: number): void {
  const w = poses[p + 3]!;
  const x = poses[p + 4]!;
  const y = poses[p + 5]!;
  const z = poses[p + 6]!;
  out[o] = 1 - 2 * (y * y + z * z);
  out[o + 1] = 2 * (x * y + w * z);
  out[o + 2] = 2 * (x * z - w * y);
  out[o + 3] = 2 * (x * y - w * z);
  out[o + 4] = 1 - 2 * (x * x + z * z);
  out[o + 5] = 2 * (y * z + w * x);
  out[o + 6] = 2 * (x * z + w * y);
  out[o + 7] = 2 * (y * z - w * x);
  out[o + 8] = 1 - 2 * (x * x + y * y);
  out[o + 9] = poses[p]!;
  out[o + 10] = poses[p + 1]!;
  out[o + 11] = poses[p + 2]!;
}

export function writeFrames(poses: Float32Array, out: Float32Array): void {
  for (let p = 0, o = 0; p + 6 < poses.length; p += 7, o += 12) writeFrame(poses, p, out, o);
}

// A frame whose z looks from one point at another, by the shortest turn, and is `along` m towards it.
export function writeAim(from: Numbers, to: Numbers, along: number, out: Float32Array, o: number): void {
  let [x, y, z] = [to[0]! - from[0]!, to[1]! - from[1]!, to[2]! - from[2]!];
  const length = Math.hypot(x, y, z);
  [x, y, z] = length > 0 ? [x / length, y / length, z / length] : [0, 0, 1];
  const w = Math.sqrt(Math.max(0, (1 + z) / 2));
  const turn = w > 1e-6 ? [w, -y / (2 * w), x / (2 * w), 0] : [0, 1, 0, 0];
  const pose = [from[0]! + along * x, from[1]! + along * y, from[2]! + along * z, ...turn];
  writeFrame(pose, 0, out, o);
}

// A pose in its body, stretched along its own axes: what an instance of a unit shape is there.
export function localFrame(pose: Numbers, scale: [number, number, number]): Float32Array {
  const frame = new Float32Array(12);
  writeFrame(pose.length >= 7 ? pose : [0, 0, 0, 1, 0, 0, 0], 0, frame, 0);
  for (let i = 0; i < 9; ++i) frame[i]! *= scale[Math.floor(i / 3)]!;
  return frame;
}

// The product of two frames as a 4×4 matrix by columns, as instances want it.
export function writeMatrix(a: Float32Array, i: number, b: Float32Array, j: number, out: Float32Array, o: number): void {
  const a0 = a[i]!, a1 = a[i + 1]!, a2 = a[i + 2]!;
  const a3 = a[i + 3]!, a4 = a[i + 4]!, a5 = a[i + 5]!;
  const a6 = a[i + 6]!, a7 = a[i + 7]!, a8 = a[i + 8]!;
  for (let column = 0; column < 4; ++column, j += 3, o += 4) {
    const x = b[j]!, y = b[j + 1]!, z = b[j + 2]!;
    out[o] = a0 * x + a3 * y + a6 * z;
    out[o + 1] = a1 * x + a4 * y + a7 * z;
    out[o + 2] = a2 * x + a5 * y + a8 * z;
    out[o + 3] = 0;
  }
  out[o - 4]! += a[i + 9]!;
  out[o - 3]! += a[i + 10]!;
  out[o - 2]! += a[i + 11]!;
  out[o - 1] = 1;
}

// A point of a frame in the world.
export function writePoint(frames: Float32Array, i: number, at: Numbers, out: Float32Array | number[], o = 0): void {
  const x = at[0] ?? 0, y = at[1] ?? 0, z = at[2] ?? 0;
  out[o] = frames[i]! * x + frames[i + 3]! * y + frames[i + 6]! * z + frames[i + 9]!;
  out[o + 1] = frames[i + 1]! * x + frames[i + 4]! * y + frames[i + 7]! * z + frames[i + 10]!;
  out[o + 2] = frames[i + 2]! * x + frames[i + 5]! * y + frames[i + 8]! * z + frames[i + 11]!;
}

export function writeDirection(frames: Float32Array, i: number, d: Numbers, out: Float32Array | number[], o = 0): void {
  const x = d[0] ?? 0, y = d[1] ?? 0, z = d[2] ?? 0;
  out[o] = frames[i]! * x + frames[i + 3]! * y + frames[i + 6]! * z;
  out[o + 1] = frames[i + 1]! * x + frames[i + 4]! * y + frames[i + 7]! * z;
  out[o + 2] = frames[i + 2]! * x + frames[i + 5]! * y + frames[i + 8]! * z;
}

// The other way: a world point (or direction) in a rigid frame.
export function pointIn(frames: Float32Array, i: number, p: Numbers): [number, number, number] {
  const d = [p[0]! - frames[i + 9]!, p[1]! - frames[i + 10]!, p[2]! - frames[i + 11]!];
  return directionIn(frames, i, d);
}
export function directionIn(frames: Float32Array, i: number, d: Numbers): [number, number, number] {
  const along = (j: number) => frames[i + j]! * d[0]! + frames[i + j + 1]! * d[1]! + frames[i + j + 2]! * d[2]!;
  return [along(0), along(3), along(6)];
}

// Unit, at right angles to a direction that need not be of unit length.
export function writeSideways(x: number, y: number, z: number, out: Float32Array | number[]): void {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  // Across the axis it is farthest from.
  if (ax <= ay && ax <= az) (out[0] = 0), (out[1] = -z), (out[2] = y);
  else if (ay <= az) (out[0] = z), (out[1] = 0), (out[2] = -x);
  else (out[0] = -y), (out[1] = x), (out[2] = 0);
  const length = Math.hypot(out[0]!, out[1]!, out[2]!) || 1;
  out[0]! /= length;
  out[1]! /= length;
  out[2]! /= length;
}

// The next number of the form 1, 2 or 5 times a power of ten that is not below.
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const m of [1, 2, 5, 10]) if (m * power >= value * (1 - 1e-9)) return m * power;
  return 10 * power;
}

// 0.002 m: "2 mm".
export function withPrefix(value: number, unit: string): string {
  const prefixes: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"]];
  const [power, prefix] = prefixes.find(([p]) => value >= (p === 1 ? 0.0999 : 0.9999) * p) ?? prefixes[prefixes.length - 1]!;
  return `${Number((value / power).toPrecision(3))} ${prefix}${unit}`;
}

// How long arrows are: what a full arrow stands for, from the magnitudes of each frame.
//
// Nine tenths of what is seen should fit; a single knock must not shrink all others. It rises within some
// frames and falls slowly, in round numbers and with slack in between, so that it rarely changes.
export class ArrowScale {
  private level = 0;
  private full = 0;
  private sorted = new Float32Array(0);

  get value(): number {
    return this.full;
  }

  see(magnitudes: Float32Array, count: number): number {
    if (this.sorted.length < count) this.sorted = new Float32Array(magnitudes.length);
    let positive = 0;
    for (let i = 0; i < count; ++i) {
      const m = magnitudes[i]!;
      if (m > 0 && m < Infinity) this.sorted[positive++] = m;
    }
    if (positive === 0) return this.full;
    const part = this.sorted.subarray(0, positive).sort();
    const target = part[Math.min(positive - 1, Math.floor(0.9 * positive))]!;
    if (this.level === 0) this.level = target;
    this.level += (target > this.level ? 0.15 : 0.01) * (target - this.level);
    if (this.full === 0 || this.level > this.full || this.level < 0.15 * this.full) this.full = roundUp(this.level);
    return this.full;
  }
}
