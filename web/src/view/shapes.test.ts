import { PerspectiveCamera, Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { Scene } from "../core/client";
import { asHigh, newBody, newBodyInPlane, newSpring, sizeOf, support, turnIntoPlane, usualDensity, type Vec } from "./making";

const plain = { sizes: {}, mass: null, material: "", corners: 6 };
import { localFrame } from "./math";
import { anglesFrom, anglesOf, distanceToFit, fieldOfView, Orbit, outward, planarFieldOfView, targetFor } from "./orbit";
import { writeBounds, type Part } from "./parts";
import { Kind } from "./pick";
import { creasedNormals } from "./shapes";
import { coil } from "./springs";

describe("a coil", () => {
  const shape = coil(8, 12, 6);
  const count = shape.helix.length / 3;
  it("goes from end to end along its axis, and stays within its radius", () => {
    expect([...shape.helix.slice(0, 3)]).toEqual([0, 0, 0]);
    const last = [...shape.helix.slice(-3)];
    [0, 0, 1].forEach((e, k) => expect(last[k]).toBeCloseTo(e, 6));
    for (let i = 0; i < count; ++i) expect(Math.hypot(shape.helix[3 * i]!, shape.helix[3 * i + 1]!)).toBeLessThanOrEqual(1 + 1e-6);
  });
  it("has the slope of its centre line", () => {
    // Central differences on a much finer one, whose points hold those of the coarse one.
    const fine = coil(8, 1200, 3);
    for (let ring = 1; ring < 96; ++ring) {
      const at = (i: number, k: number) => fine.helix[9 * i + k]!;
      for (let k = 0; k < 3; ++k) {
        const difference = ((at(100 * ring + 1, k) - at(100 * ring - 1, k)) / 2) * 9600;
        expect(Math.abs(shape.slope[18 * ring + k]! - difference)).toBeLessThan(0.1); // single precision, at a slope of 50
      }
    }
  });
  it("names only vertices it has", () => {
    expect(Math.max(...shape.indices)).toBe(count - 1);
    expect(new Set(shape.indices).size).toBe(count);
  });
});

describe("normals of a surface", () => {
  it("keep the edges of a cube", () => {
    const vertices = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]);
    const normals = creasedNormals(vertices, [4, 5, 6, 5, 7, 6, 1, 3, 5, 3, 7, 5]);
    for (let i = 0; i < 6; ++i) expect([...normals.slice(3 * i, 3 * i + 3)]).toEqual([0, 0, 1]);
    for (let i = 6; i < 12; ++i) expect([...normals.slice(3 * i, 3 * i + 3)]).toEqual([1, 0, 0]);
  });
  it("are smooth over a slight bend, also where vertices are written twice", () => {
    const rise = 0.1;
    const vertices = [0, -1, 0, 0, 1, 0, -1, 0, rise, 0, -1, 0, 0, 1, 0, 1, 0, rise];
    const normals = creasedNormals(vertices, [0, 1, 2, 3, 5, 4]);
    expect([...normals.slice(0, 3)].map((x) => Math.round(1e5 * x) / 1e5)).toEqual([0, 0, 1]);
  });
});

describe("the box around a part", () => {
  const size: Record<number, number[]> = { [Kind.sphere]: [0.5], [Kind.box]: [1, 0.6, 0.2], [Kind.capsule]: [0.2, 1], [Kind.cylinder]: [0.4, 0.9], [Kind.torus]: [0.6, 0.1, 0] };
  // The farthest of many points of each shape along an axis.
  const far = (kind: Kind, d: number[]): number => {
    const [r = 0, s = 0, t = 0] = size[kind]!;
    if (kind === Kind.sphere) return r;
    if (kind === Kind.box) return (Math.abs(d[0]!) * r + Math.abs(d[1]!) * s + Math.abs(d[2]!) * t) / 2;
    let most = 0;
    for (let i = 0; i < 2000; ++i) {
      const angle = (2 * Math.PI * i) / 2000;
      const rim = Math.cos(angle) * d[0]! + Math.sin(angle) * d[1]!;
      if (kind === Kind.capsule) most = Math.max(most, r + (s / 2) * Math.abs(d[2]!));
      if (kind === Kind.cylinder) most = Math.max(most, r * rim + (s / 2) * Math.abs(d[2]!));
      if (kind === Kind.torus) most = Math.max(most, r * rim + s);
    }
    return most;
  };
  it.each([Kind.sphere, Kind.box, Kind.capsule, Kind.cylinder, Kind.torus])("touches kind %i on all sides", (kind) => {
    const frame = localFrame([1, 2, 3, 0.6, 0.48, 0.0, 0.64], [1, 1, 1]);
    const part = { kind, size: size[kind]! } as Part;
    const out = new Float32Array(6);
    writeBounds(part, frame, size[kind]!.map((x) => x / 2), [0, 0, 0], out);
    for (let k = 0; k < 3; ++k) {
      const d = [frame[k]!, frame[3 + k]!, frame[6 + k]!];
      expect(out[3 + k]).toBeCloseTo(frame[9 + k]! + far(kind, d), 4);
      expect(out[k]).toBeCloseTo(frame[9 + k]! - far(kind, d), 4);
    }
  });
});

describe("what tools make", () => {
  it("lies just above the surface it is put on", () => {
    for (const shape of ["box", "sphere", "capsule", "cylinder"] as const) {
      const normal: [number, number, number] = [0, 0.6, 0.8];
      const { position } = newBody(shape, 0.5, 1000, plain, [1, 1, 1], normal) as { position: number[] };
      const above = position.reduce((sum, p, k) => sum + (p - 1) * normal[k]!, 0);
      const lowest = support(shape, sizeOf(shape, 0.5, plain), normal);
      expect(above).toBeGreaterThan(lowest);
      expect(above).toBeLessThan(1.1 * lowest);
    }
  });
  it("is as dense as most of what is there", () => {
    const scene = { bodies: [{}, { mass: 2 }, { mass: 30 }, { mass: 1e6 }, { mass: 1 }] } as unknown as Scene;
    const part = (body: number, kind: Kind, size: number[], isSketch = false) => ({ body, frame: body, kind, size, isSketch }) as Part;
    const parts = [part(1, Kind.box, [1, 1, 0.5]), part(2, Kind.cylinder, [1, 1 / Math.PI]), part(3, Kind.sphere, [1]), part(4, Kind.box, [1, 1, 1], true)];
    expect(usualDensity(scene, parts)).toBeCloseTo(30, 9);
    expect(usualDensity(scene, [])).toBe(1000);
  });
  it("are springs that swing one and a half times a second", () => {
    const scene = { bodies: [{ mass: 0 }, { mass: 2 }, { mass: 2 }] } as unknown as Scene;
    const { stiffness, damping } = newSpring(scene, 0, [0, 0, 0], 1, [0, 0, 0]) as { stiffness: number; damping: number };
    expect(Math.sqrt(stiffness / 2) / (2 * Math.PI)).toBeCloseTo(1.5, 12);
    expect(damping / (2 * Math.sqrt(stiffness * 2))).toBeCloseTo(0.1, 12);
    const between = newSpring(scene, 1, [0, 0, 0], 2, [0, 0, 0]) as { stiffness: number };
    expect(between.stiffness).toBeCloseTo(stiffness / 2, 12);
  });
});

const whole = (aspect: number) => ({ width: aspect, height: 1, right: 0, above: 0 });

describe("the camera", () => {
  it("sees x to the right when it looks along y, or down", () => {
    for (const looking of [new Vector3(0, 1, 0), new Vector3(0, 0, -1)]) {
      const { yaw, pitch } = anglesOf(looking);
      const back = outward(yaw, pitch, new Vector3());
      expect(back.dot(looking)).toBeCloseTo(-1, 5);
      const right = new Vector3(0, 0, 1).cross(back).normalize();
      expect(right.x).toBeCloseTo(1, 9);
    }
  });
  it("has all corners in the picture, one of them at its edge", () => {
    const half = new Vector3(2, 0.5, 1);
    const { yaw, pitch } = anglesFrom("aslant");
    const distance = distanceToFit(half, yaw, pitch, whole(1.6));
    const e = outward(yaw, pitch, new Vector3());
    const right = new Vector3(0, 0, 1).cross(e).normalize();
    const above = e.clone().cross(right);
    const tall = Math.tan((fieldOfView * Math.PI) / 360);
    let most = 0;
    for (let i = 0; i < 8; ++i) {
      const c = new Vector3(i & 1 ? 2 : -2, i & 2 ? 0.5 : -0.5, i & 4 ? 1 : -1);
      const depth = distance - c.dot(e);
      most = Math.max(most, Math.abs(c.dot(above)) / (tall * depth), Math.abs(c.dot(right)) / (1.6 * tall * depth));
    }
    expect(most).toBeCloseTo(1, 9);
  });
  it("keeps to what panels leave of the picture, upright and lying", () => {
    for (const room of [{ width: 0.5, height: 0.9, right: 0, above: 0.05 }, { width: 1.4, height: 0.8, right: -0.1, above: 0.1 }]) {
      const half = new Vector3(2, 0.5, 1);
      const { yaw, pitch } = anglesFrom("aslant");
      const distance = distanceToFit(half, yaw, pitch, room);
      const target = targetFor(new Vector3(), yaw, pitch, distance, room);
      const camera = new PerspectiveCamera(fieldOfView, 2);
      const orbit = new Orbit();
      orbit.look({ target, yaw, pitch, distance });
      orbit.jump();
      orbit.apply(camera, 2);
      const [left, right] = [room.right - room.width / 2, room.right + room.width / 2];
      const [low, high] = [room.above - room.height / 2, room.above + room.height / 2];
      for (let i = 0; i < 8; ++i) {
        // In heights of the picture from its middle; the middle of the box is nearer than its far corners.
        const seen = new Vector3(i & 1 ? 2 : -2, i & 2 ? 0.5 : -0.5, i & 4 ? 1 : -1).project(camera);
        const [x, y] = [seen.x, seen.y / 2];
        expect(x).toBeGreaterThan(left - 0.05);
        expect(x).toBeLessThan(right + 0.05);
        expect(y).toBeGreaterThan(low - 0.05);
        expect(y).toBeLessThan(high + 0.05);
      }
      const middle = new Vector3().project(camera);
      expect(middle.x).toBeCloseTo(room.right, 9);
      expect(middle.y / 2).toBeCloseTo(room.above, 9);
    }
  });
  it("keeps what is under the cursor there while it zooms", () => {
    const orbit = new Orbit();
    orbit.limit(5);
    orbit.look({ target: new Vector3(), yaw: -Math.PI / 2, pitch: 0, distance: 10 });
    const tall = Math.tan((fieldOfView * Math.PI) / 360);
    // Seen along y: x to the right, z up.
    const under = () => [orbit.goal.target.x + 0.5 * tall * 1.5 * orbit.goal.distance, orbit.goal.target.z + 0.25 * tall * orbit.goal.distance];
    const before = under();
    orbit.zoom(1.7, 0.5, 0.25, 1.5);
    expect(orbit.goal.distance).toBeCloseTo(10 / 1.7, 9);
    under().forEach((value, k) => expect(value).toBeCloseTo(before[k]!, 9));
  });
});

describe("in a planar scene", () => {
  const normals: Vec[] = [[0, 1, 0], [0, -1, 0], [0, 0, -1], [1, 0, 0], [0.48, 0.6, 0.64]];
  it("what is added stands straight in the plane", () => {
    for (const normal of normals)
      for (const [shape, axis] of [["box", [0, 1, 0]], ["capsule", [0, 1, 0]], ["cylinder", [0, 0, 1]]] as const) {
        const [w, x, y, z] = turnIntoPlane(shape, normal) as [number, number, number, number];
        expect(Math.hypot(w, x, y, z)).toBeCloseTo(1, 12);
        const turned = new Vector3(...axis).applyQuaternion(new Quaternion(x, y, z, w));
        expect(Math.abs(turned.dot(new Vector3(...normal)))).toBeCloseTo(1, 12);
      }
  });
  it("is put where it was clicked, or beside what stands in the plane", () => {
    const normal: Vec = [0, 1, 0];
    const there = newBodyInPlane("box", 0.4, 1000, plain, [1, 0, 2], [0, -1, 0], normal);
    expect(there.position).toEqual([1, 0, 2]);
    expect(newBodyInPlane("box", 0.4, 1000, plain, [1, 0, 2], null, normal).position).toEqual([1, 0, 2]);
    const [x, y, z] = newBodyInPlane("sphere", 0.4, 1000, plain, [1, 0, 2], [0, 0, 1], normal).position as number[];
    expect([x, y]).toEqual([1, 0]);
    expect(z! - 2).toBeGreaterThan(0.22); // its radius
    expect(z! - 2).toBeLessThan(0.24);
  });
  it("ends of springs are equally high above the plane", () => {
    for (const normal of normals) {
      const n = new Vector3(...normal);
      const levelled = new Vector3(...asHigh([3, -2, 5], [1, 1, 1], normal));
      expect(levelled.dot(n)).toBeCloseTo(n.x + n.y + n.z, 12);
      expect(levelled.sub(new Vector3(3, -2, 5)).cross(n).length()).toBeCloseTo(0, 12);
    }
  });
  it("things look equally large whether near or far along the normal", () => {
    const orbit = new Orbit();
    const half = new Vector3(5, 1, 3);
    orbit.limit(6, planarFieldOfView);
    orbit.look({ target: new Vector3(), yaw: -Math.PI / 2, pitch: 0, distance: distanceToFit(half, -Math.PI / 2, 0, whole(1.5), planarFieldOfView) });
    orbit.jump();
    const camera = new PerspectiveCamera(fieldOfView, 1.5, 0.1, 100);
    orbit.apply(camera, 6);
    const across = (y: number) => new Vector3(1, y, 0).project(camera).x;
    expect(across(1) / across(-1)).toBeCloseTo(1, 1);
    expect(Math.abs(new Vector3(5, -1, 0).project(camera).x)).toBeLessThanOrEqual(1);
    expect(new Vector3(5, 0, 3).project(camera).z).toBeLessThan(1);
    // And it can be zoomed as usual.
    expect(orbit.distance).toBeGreaterThan(5);
    expect(orbit.distance).toBeLessThan(30);
  });
});
