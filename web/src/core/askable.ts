// What a scene can be asked for. The server refuses all that is watched together if one of the names says nothing.
import type { Scene } from "./client";

const mostListed = 4000; // names, by live/wire/scene_message.cpp; of more bodies than some hundred the rest is not in the list

export function askableOf(scene: Pick<Scene, "quantities" | "plots" | "bodies" | "joints" | "links">): (quantity: string) => boolean {
  const named = new Set([...scene.quantities, ...scene.plots.flatMap((plot) => plot.quantities ?? [])]);
  const isWhole = scene.quantities.length < mostListed;
  const owners = isWhole ? [] : [...scene.bodies, ...scene.joints, ...scene.links].filter((thing) => !thing.is_gone).map((thing) => `${thing.name}.`);
  // A point of a body, or the force on one, is in no list.
  return (quantity) => named.has(quantity) || /\bpoint\(|^contact\.force\(/.test(quantity) || owners.some((owner) => quantity.startsWith(owner));
}
