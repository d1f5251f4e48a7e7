// In which order scenes are shown, and what to try with those that come first. What is not named here comes last, and scenes of
// one's own come before all.
import type { GalleryEntry } from "../core/messages";

export interface Group {
  label: string;
  entries: GalleryEntry[];
}

const order: [string, string[]][] = [
  ["Start here", ["machine-by-hand", "ragdoll", "truck", "gear-pair", "seesaw", "four-bar"]],
  ["Machines and mechanisms", ["machine-on-wheels", "machine", "hydraulic-rig", "screw-jack", "peg-in-hole", "gripper", "andrews", "flyball", "four-bars-40"]],
  ["Piles, chains and many bodies", ["stack-of-20", "box-stack", "chain-links", "chain", "wave", "field", "frame-on-slope"]],
  ["Pendulums and free bodies", ["double-pendulum", "pendulum", "dzhanibekov", "double-pendulum-and-floor", "pendulum-and-wall"]],
];

const hints: Record<string, string> = {
  "machine-by-hand": "Press D, then I and K for the boom, W and S for the stick",
  ragdoll: "Hold Shift and drag an arm",
  truck: "Select a wheel and plot its height",
  "gear-pair": "Hold Shift and stop a gear",
  seesaw: "Drag the timeline back, then press B and click",
  "four-bar": "Change its length under Parameters",
};
export function hintFor(entry: GalleryEntry): string {
  return hints[entry.name] ?? "";
}

export function isRecording(entry: GalleryEntry): boolean {
  return entry.name.endsWith(".mcap");
}
function isOwn(entry: GalleryEntry): boolean {
  return /\.ya?ml$/.test(entry.name);
}

export function groupsOf(entries: readonly GalleryEntry[]): Group[] {
  const left = new Map(entries.filter((e) => !isRecording(e) && !isOwn(e)).map((e) => [e.name, e]));
  const groups: Group[] = [{ label: "Yours", entries: entries.filter(isOwn) }];
  for (const [label, names] of order) {
    const found = names.flatMap((name) => left.get(name) ?? []);
    for (const entry of found) left.delete(entry.name);
    groups.push({ label, entries: found });
  }
  groups.push({ label: "Contact and friction", entries: [...left.values()] });
  groups.push({ label: "Recordings", entries: entries.filter(isRecording) });
  return groups.filter((group) => group.entries.length > 0);
}
