// What the tools make: orders with sizes and stiffnesses that suit the scene. Pure.
import type { Scene } from "../core/client";
import type { Tool } from "../core/store";
import type { Part } from "./parts";
import { Kind } from "./pick";

export type Vec = [number, number, number];
type Shape = Extract<Tool, "box" | "sphere" | "capsule" | "cylinder">;

export function isShape(tool: Tool): tool is Shape {
  return tool === "box" || tool === "sphere" || tool === "capsule" || tool === "cylinder";
}
export function isPairing(tool: Tool): tool is "spring" | "revolute" | "fixed" | "spherical" {
  return tool === "spring" || tool === "revolute" || tool === "fixed" || tool === "spherical";
}

export function sizeOf(shape: Shape, unit: number): number[] {
  if (shape === "box") return [unit, unit, unit];
  if (shape === "sphere") return [0.55 * unit];
  return shape === "capsule" ? [0.35 * unit, unit] : [0.5 * unit, unit];
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

export function newBody(shape: Shape, unit: number, density: number, at: Vec, normal: Vec): Record<string, unknown> {
  const size = sizeOf(shape, unit);
  // A little above, so that it lands instead of starting inside.
  const off = support(shape, size, normal) + 0.02 * unit;
  const position = [0, 1, 2].map((k) => at[k]! + off * normal[k]!);
  return { kind: shape, size, position, density };
}

// One and a half swings a second and a tenth of critical damping: lively, and slow enough to be watched.
export function newSpring(scene: Scene, a: number, atA: Vec, b: number, atB: Vec): Record<string, unknown> {
  const inverse = (body: number) => {
    const mass = scene.bodies[body]?.mass ?? 0;
    return body > 0 && mass > 0 && mass < Infinity ? 1 / mass : 0;
  };
  const mass = 1 / (inverse(a) + inverse(b) || 1);
  const rate = 2 * Math.PI * 1.5;
  return { a, b, at_a: atA, at_b: atB, stiffness: mass * rate * rate, damping: 2 * 0.1 * mass * rate };
}
