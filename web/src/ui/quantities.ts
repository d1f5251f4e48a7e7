// What a quantity is called, and its unit: curves of one unit share a plot.
import type { Scene } from "../core/client";

const units: [RegExp, string][] = [
  [/\.reaction\.force(\.\w+)?$/, "N"],
  [/\.reaction\.moment(\.\w+)?$/, "N m"],
  [/\.(body_)?angular_velocity(\.\w+)?$/, "rad/s"],
  [/\.angular_acceleration(\.\w+)?$/, "rad/s²"],
  [/\.(body_)?velocity(\.\w+)?$/, "m/s"],
  [/\.acceleration(\.\w+)?$/, "m/s²"],
  [/\.(position|center|point\([^)]*\))(\.\w+)?$/, "m"],
  [/\.angle$/, "rad"],
  [/^momentum\.linear(\.\w+)?$/, "N s"],
  [/\.(angular_momentum(\([^)]*\))?|spin)(\.\w+)?$/, "N m s"],
  [/^momentum\.angular(\([^)]*\))?(\.\w+)?$/, "N m s"],
  [/^contact\.force\(.*\)(\.\w+)?$/, "N"],
  [/^energy\.\w+$/, "J"],
];

const turning = new Set(["revolute", "turn gauge", "swing gauge"]);

// As the scene says them. What one writes oneself, such as bar.point(1, 0, 0), is not among those, and old recordings say none.
const told = new WeakMap<Scene, Map<string, string>>();
function toldBy(scene: Scene): Map<string, string> {
  const known = told.get(scene) ?? new Map(scene.units.map((unit, i) => [scene.quantities[i] ?? "", unit]));
  told.set(scene, known);
  return known;
}

export function unitOf(quantity: string, scene: Scene): string {
  const unit = toldBy(scene).get(quantity);
  if (unit !== undefined) return unit;
  for (const [pattern, unit] of units) if (pattern.test(quantity)) return unit;
  const dot = quantity.lastIndexOf(".");
  const owner = quantity.slice(0, dot);
  const property = quantity.slice(dot + 1);
  const isTurning = scene.joints.some((j) => j.name === owner && turning.has(j.type ?? ""));
  if (property === "coordinate") return isTurning ? "rad" : "m";
  if (property === "rate") return isTurning ? "rad/s" : "m/s";
  if (property === "effort" || property === "tension") return isTurning ? "N m" : "N";
  return "";
}

// Only single numbers can be watched: of a vector its components, not the name that stands for all of them.
export function singleNumbers(quantities: readonly string[]): string[] {
  return quantities.filter((q, i) => !quantities[i + 1]?.startsWith(q + "."));
}

// What of a unit is a rounding error in this scene: a part in a thousand millions of what its weight and size make of it.
export function noiseOf(unit: string, scene: Scene): number {
  const mass = scene.bodies.reduce((sum, b) => sum + (Number.isFinite(b.mass) ? (b.mass ?? 0) : 0), 0);
  const size = Math.hypot(...[0, 1, 2].map((k) => (scene.high[k] ?? 0) - (scene.low[k] ?? 0)));
  const weight = 10 * mass;
  const of: Record<string, number> = { m: size, N: weight, "N m": weight * size, J: weight * size, "N s": mass, "N m s": mass * size };
  return 1e-9 * (of[unit] || 1);
}
// A value as it is shown: what is no more than that is nothing. Counts have no noise.
export function withoutNoise(value: number | undefined, unit: string, scene: Scene): number | undefined {
  return unit !== "" && value !== undefined && Math.abs(value) < noiseOf(unit, scene) ? 0 : value;
}
