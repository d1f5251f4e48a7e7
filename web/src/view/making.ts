// What the tools make: orders with sizes and stiffnesses that suit the scene. Pure.
import type { Scene } from "../core/client";
import type { Tool } from "../core/store";

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

export function newBody(shape: Shape, unit: number, at: Vec, normal: Vec): Record<string, unknown> {
  const size = sizeOf(shape, unit);
  // A little above, so that it lands instead of starting inside.
  const off = support(shape, size, normal) + 0.02 * unit;
  const position = [0, 1, 2].map((k) => at[k]! + off * normal[k]!);
  return { kind: shape, size, position, density: 1000 };
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
