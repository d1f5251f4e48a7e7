// States as they come, and what to draw at an instant between them.
//
// States arrive unevenly; drawing each when it comes would tremble. So the page shows the past by one
// interval between states, and what lies between two is interpolated: positions linearly, orientations along the
// shorter arc. Live and recorded sessions come through the same door. A jump (going back, another scene, a
// changed model) is shown at once, without interpolation.
import type { State } from "./client";

export interface Moment {
  from: State;
  to: State;
  share: number; // 0: from, 1: to
}

interface Arrival {
  state: State;
  at: number; // ms
}

export class Playout {
  private arrivals: Arrival[] = [];
  private interval = 1000 / 60; // ms between states, smoothed

  push(state: State, now: number): void {
    const last = this.arrivals[this.arrivals.length - 1];
    if (last && isJump(last.state, state)) this.arrivals = [];
    else if (last) {
      const gap = now - last.at;
      if (gap < 500) this.interval += 0.1 * (gap - this.interval);
    }
    this.arrivals.push({ state, at: now });
    if (this.arrivals.length > 16) this.arrivals.shift();
  }

  clear(): void {
    this.arrivals = [];
  }

  get latest(): State | null {
    return this.arrivals[this.arrivals.length - 1]?.state ?? null;
  }

  sample(now: number): Moment | null {
    const list = this.arrivals;
    if (list.length === 0) return null;
    const when = now - this.interval;
    let i = list.length - 1;
    while (i > 0 && list[i]!.at > when) --i;
    if (i > 0) list.splice(0, i); // what lies before is not needed again
    const from = list[0]!;
    const to = list[1];
    if (!to || when <= from.at) return { from: from.state, to: from.state, share: 0 };
    return { from: from.state, to: to.state, share: Math.min(1, (when - from.at) / (to.at - from.at)) };
  }
}

function isJump(before: State, after: State): boolean {
  return (
    before.revision !== after.revision ||
    before.poses.length !== after.poses.length ||
    after.time < before.time ||
    // More than half a second at once, at any speed that is shown smoothly.
    after.time - before.time > 0.5 * Math.max(1, after.transport?.speed ?? 1)
  );
}

// Writes the poses of all bodies at the moment: x y z, quaternion w x y z each.
export function interpolatePoses(moment: Moment, out: Float32Array): void {
  const a = moment.from.poses;
  const b = moment.to.poses;
  const s = moment.share;
  for (let i = 0; i + 6 < a.length && i + 6 < out.length; i += 7) {
    out[i] = a[i]! + s * (b[i]! - a[i]!);
    out[i + 1] = a[i + 1]! + s * (b[i + 1]! - a[i + 1]!);
    out[i + 2] = a[i + 2]! + s * (b[i + 2]! - a[i + 2]!);
    const dot = a[i + 3]! * b[i + 3]! + a[i + 4]! * b[i + 4]! + a[i + 5]! * b[i + 5]! + a[i + 6]! * b[i + 6]!;
    const t = dot < 0 ? -s : s;
    const w = (1 - s) * a[i + 3]! + t * b[i + 3]!;
    const x = (1 - s) * a[i + 4]! + t * b[i + 4]!;
    const y = (1 - s) * a[i + 5]! + t * b[i + 5]!;
    const z = (1 - s) * a[i + 6]! + t * b[i + 6]!;
    const length = Math.sqrt(w * w + x * x + y * y + z * z) || 1;
    out[i + 3] = w / length;
    out[i + 4] = x / length;
    out[i + 5] = y / length;
    out[i + 6] = z / length;
  }
}
