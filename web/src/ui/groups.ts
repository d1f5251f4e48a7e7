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
  ["Piles, chains and many bodies", ["stack-of-20", "box-stack", "chain-links", "chain", "wave", "field", "terrain", "frame-on-slope"]],
  ["Pendulums and free bodies", ["double-pendulum", "pendulum", "dzhanibekov", "double-pendulum-and-floor", "pendulum-and-wall"]],
];

// A first task for each. [D] is a key, “angle” a parameter.
export const tasks: Record<string, string> = {
  "machine-by-hand": "Press [D], then [I] and [K] for the boom, [W] and [S] for the stick",
  ragdoll: "Hold [Shift] and drag an arm",
  truck: "Select a wheel and plot its height; then drag the timeline back",
  "gear-pair": "Hold [Shift] and stop a gear; its drive has to work harder",
  seesaw: "Drag the timeline back, then press [B] and click to add a box",
  "four-bar": "Change “length” under Parameters: it goes on at the same moment",
  "machine-on-wheels": "Press [L] and show forces: what each wheel carries while the arm moves",
  machine: "Select a cylinder in the tree and plot its position; [Q] follows it",
  "hydraulic-rig": "Open the plots with [P]: one cylinder pulls twice as hard",
  "screw-jack": "Come near with the wheel of the mouse and watch the thread carry the nut",
  "peg-in-hole": "Slow down with [-] and watch it find the hole",
  gripper: "Hold [Shift] and pull at the box: it slips when you pull too hard",
  andrews: "Press [-] a few times: it is over in a moment",
  flyball: "Plot the height of the slider against its speed",
  "four-bars-40": "Hold [Shift] and pull at one of them",
  "stack-of-20": "Press [B] and drop a box on the top",
  "box-stack": "Press [G] and pull a box out from below",
  "chain-links": "Hold [Shift] and swing the last link",
  chain: "Press [G] and throw the tip",
  wave: "Hold [Shift] and push one block of the thousand",
  field: "Press [O] and roll a ball between the boxes",
  terrain: "Change “rise” under Parameters, and watch where the balls roll",
  "frame-on-slope": "Change “friction” to 0.1 under Parameters: it slides",
  "double-pendulum": "Drag the timeline back and run on: the same motion, to the last bit",
  pendulum: "Hold [Shift] and pull at the mass; its tension is in the plot",
  dzhanibekov: "Wait: it turns over, again and again",
  "double-pendulum-and-floor": "Press [L] and show contact forces",
  "pendulum-and-wall": "Press [.] to go step by step through the impact",
  "block-on-incline": "Change “angle” to 20 deg under Parameters: does it stop?",
  "block-on-slope-mesh": "Press [L] and show shared volumes",
  "rolling-cylinder": "Select it and plot its angular velocity",
  "rolling-cylinder-mesh": "Press [L] and show shared volumes",
  "resisted-ball": "Give it a push: hold [Shift] and drag",
  "bouncing-ball": "Press [O] and drop a second ball beside it",
  "falling-box": "Press [Home] and watch it again at a quarter of the speed",
  "falling-rod": "Press [L] and show contact forces",
  "colliding-balls": "Press [.] to go step by step through the impact",
  "spinning-ball": "Open the plots with [P]: the spin falls on a straight line",
  "spinning-disk": "Open the plots with [P]: when does it stop?",
  "steel-impact": "Press [-] until you can see it happen",
  "stick-slip": "Open the plots with [P]: it sticks, and it slips",
  "mass-spring-friction": "Hold [Shift] and pull the block to the side",
};
// In the scene; what has none of its own gets what suits everything.
export function taskFor(name: string, hasKeys: boolean): string {
  return tasks[name] ?? (hasKeys ? "Press [D]: its keys steer it. Hold [Shift] and drag a body" : "Hold [Shift] and drag a body; drag the timeline back");
}
// On the card.
export function hintFor(entry: GalleryEntry): string {
  return (tasks[entry.name] ?? "").replace(/\[([^\]]+)\]/g, "$1");
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
