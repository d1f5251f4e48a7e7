// What the tools make: orders with sizes and stiffnesses that suit the scene. Pure.
import type { Scene } from "../core/client";
import type { AddBody, AddSpring } from "../core/messages";
import type { Making, Tool } from "../core/store";
import type { Part } from "./parts";
import { Kind } from "./pick";

export type Vec = [number, number, number];
export type Shape = Extract<Tool, "box" | "sphere" | "capsule" | "cylinder" | "polygon">;

export function isShape(tool: Tool): tool is Shape {
  return tool in kindOf;
}
export function isPairing(tool: Tool): tool is "spring" | "revolute" | "fixed" | "spherical" {
  return tool === "spring" || tool === "revolute" || tool === "fixed" || tool === "spherical";
}

const kindOf = { box: "BOX", sphere: "SPHERE", capsule: "CAPSULE", cylinder: "CYLINDER", polygon: "SURFACE" } as const;

// What the numbers of a size are.
export const sizeNames: Record<Shape, string[]> = {
  box: ["x", "y", "z"],
  sphere: ["radius"],
  capsule: ["radius", "length"],
  cylinder: ["radius", "length"],
  polygon: ["radius", "thickness"],
};

// As suits the scene, rounded to two digits: it is shown to be changed.
export function usualSize(shape: Shape, unit: number): number[] {
  const size = shape === "box" ? [unit, unit, unit] : shape === "sphere" ? [0.55 * unit] : shape === "capsule" ? [0.35 * unit, unit] : [0.5 * unit, unit];
  return size.map((s) => Number(s.toPrecision(2)));
}
export function sizeOf(shape: Shape, unit: number, making: Making): number[] {
  return usualSize(shape, unit).map((usual, i) => making.sizes[shape]?.[i] || usual);
}

// x y of the corners, one of them straight up.
export function outlineOf(radius: number, corners: number): number[] {
  return Array.from({ length: corners }, (_, i) => Math.PI / 2 + (2 * Math.PI * i) / corners).flatMap((a) => [radius * Math.cos(a), radius * Math.sin(a)]);
}

// What is the same wherever it is put.
function order(shape: Shape, size: number[], density: number, making: Making): AddBody {
  return {
    kind: kindOf[shape],
    size: shape === "polygon" ? [size[1]!] : size,
    position: [0, 0, 0],
    density,
    ...(making.mass ? { mass: making.mass } : {}),
    ...(making.material ? { material: making.material } : {}),
    ...(shape === "polygon" ? { outline: outlineOf(size[0]!, making.corners) } : {}),
  };
}

// How far an upright shape reaches from its centre against the direction.
export function support(shape: Shape, size: number[], n: Vec): number {
  const [a = 0, b = 0, c = 0] = size;
  if (shape === "sphere") return a;
  if (shape === "box") return (Math.abs(n[0]) * a + Math.abs(n[1]) * b + Math.abs(n[2]) * c) / 2;
  if (shape === "capsule") return a + (Math.abs(n[2]) * b) / 2;
  return a * Math.hypot(n[0], n[1]) + (Math.abs(n[2]) * b) / 2;
}

// As heavy as most of what is there: of bodies that are one simple shape, the middle density.
export function usualDensity(scene: Scene, parts: Part[]): number {
  const shapes = new Map<number, Part[]>();
  for (const part of parts) shapes.set(part.body, [...(shapes.get(part.body) ?? []), part]);
  const densities: number[] = [];
  for (const [body, own] of shapes) {
    const density = (scene.bodies[body]?.mass ?? 0) / volume(own[0]!);
    if (body > 0 && own.length === 1 && !own[0]!.isSketch && density > 0 && density < Infinity) densities.push(density);
  }
  densities.sort((a, b) => a - b);
  return Math.min(2e4, Math.max(1, densities[densities.length >> 1] ?? 1000));
}

// kg/m³ times this is kg; 0 for what is no simple solid.
function volume({ kind, size: [a = 0, b = 0, c = 0] }: Part): number {
  if (kind === Kind.sphere) return (4 / 3) * Math.PI * a ** 3;
  if (kind === Kind.box) return a * b * c;
  if (kind === Kind.capsule) return Math.PI * a * a * (b + (4 / 3) * a);
  return kind === Kind.cylinder ? Math.PI * a * a * b : 0;
}

export function newBody(shape: Shape, unit: number, density: number, making: Making, at: Vec, normal: Vec): AddBody {
  const size = sizeOf(shape, unit, making);
  // A little above, so that it lands instead of starting inside.
  const off = support(shape, size, normal) + 0.02 * unit;
  const position = [0, 1, 2].map((k) => at[k]! + off * normal[k]!);
  return { ...order(shape, size, density, making), position };
}

// ---- In the plane of a planar scene: `normal` is its, of unit length ----------------------------------------------

const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// The point as high above the plane as another one.
export function asHigh(point: Vec, as: Vec, normal: Vec): Vec {
  const up = dot(as, normal) - dot(point, normal);
  return [point[0] + up * normal[0], point[1] + up * normal[1], point[2] + up * normal[2]];
}

// The turn (w, x, y, z) that takes an axis to the normal: z of what is round, y of the others, which then lie in the plane.
export function turnIntoPlane(shape: Shape, normal: Vec): number[] {
  const from: Vec = shape === "cylinder" || shape === "polygon" ? [0, 0, 1] : [0, 1, 0];
  // Either end of the axis will do: the shorter way.
  const to = dot(from, normal) < 0 ? (normal.map((x) => -x) as Vec) : normal;
  const w = 1 + dot(from, to);
  const [x, y, z] = [from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2], from[0] * to[1] - from[1] * to[0]];
  const length = Math.hypot(w, x, y, z);
  return [w / length, x / length, y / length, z / length];
}

// `on`: the normal of what was clicked on. Seen from the side in the plane, the body is put beside it; seen from the front
// it was meant just there.
export function newBodyInPlane(shape: Shape, unit: number, density: number, making: Making, at: Vec, on: Vec | null, normal: Vec): AddBody {
  const size = sizeOf(shape, unit, making);
  const out = on ? dot(on, normal) : 1;
  const aside: Vec = on ? [on[0] - out * normal[0], on[1] - out * normal[1], on[2] - out * normal[2]] : [0, 0, 0];
  const length = Math.hypot(...aside);
  // As far as its outline reaches at most.
  const reach = shape === "capsule" ? size[0]! + size[1]! / 2 : shape === "box" ? Math.hypot(size[0]!, size[2]!) / 2 : size[0]!;
  const off = length > 0.5 ? (reach + 0.02 * unit) / length : 0;
  const position = [0, 1, 2].map((k) => at[k]! + off * aside[k]!);
  return { ...order(shape, size, density, making), position, orientation: turnIntoPlane(shape, normal) };
}

// One and a half swings a second and a tenth of critical damping: lively, and slow enough to be watched.
export function newSpring(scene: Scene, a: number, atA: Vec, b: number, atB: Vec): AddSpring {
  const inverse = (body: number) => {
    const mass = scene.bodies[body]?.mass ?? 0;
    return body > 0 && mass > 0 && mass < Infinity ? 1 / mass : 0;
  };
  const mass = 1 / (inverse(a) + inverse(b) || 1);
  const rate = 2 * Math.PI * 1.5;
  return { a, b, at_a: atA, at_b: atB, stiffness: mass * rate * rate, damping: 2 * 0.1 * mass * rate };
}
