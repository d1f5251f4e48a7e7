// In which order scenes are shown, and what to try with those that come first. What is not named here comes last, and scenes of
// one's own come before all.
import type { GalleryEntry } from "../core/messages";

export interface Group {
  label: string;
  entries: GalleryEntry[];
}

const order: [string, string[]][] = [
  ["Start here", ["excavator-site", "machine-by-hand", "ragdoll", "truck", "gear-pair", "seesaw", "four-bar"]],
  ["Machines and mechanisms", ["excavator", "loader", "machine-on-wheels", "machine", "hydraulic-rig", "screw-jack", "peg-in-hole", "gripper", "andrews", "flyball", "four-bars-40"]],
  ["Piles, chains and many bodies", ["stack-of-20", "box-stack", "chain-links", "chain", "wave", "field", "terrain", "frame-on-slope"]],
  ["Pendulums and free bodies", ["double-pendulum", "pendulum", "dzhanibekov", "double-pendulum-and-floor", "pendulum-and-wall"]],
];

// A first task for each. [D] is a key, “angle” a parameter.
export const tasks: Record<string, string> = {
  "excavator-site": "Press [D], then drive with the arrows; [A] and [D] swing, [I] and [K] are the boom, [W] and [S] the stick, [J] and [L] the bucket",
  excavator: "Press [D], then [F] and [G]: it stands on its blade and outriggers",
  loader: "Press [D], then drive with the arrows and lift the bucket with [K]",
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
// The same for fingers, where there are no keys. A finger that rests on a body takes hold of it.
export const tasksByTouch: Record<string, string> = {
  "excavator-site": "Open the sliders, then “Controls”: levers, pedal and steering",
  excavator: "Open the sliders, then “Controls”: lower the blade and the outriggers",
  loader: "Open the sliders, then “Controls”: drive, and lift the bucket",
  "machine-by-hand": "Open the sliders, then “Controls”: one for each cylinder",
  ragdoll: "Rest a finger on an arm, then drag it",
  "gear-pair": "Rest a finger on a gear to stop it; its drive has to work harder",
  seesaw: "Drag the timeline back, then choose the box among the tools and tap where it goes",
  "machine-on-wheels": "Show forces among the layers: what each wheel carries while the arm moves",
  machine: "Select a cylinder in the tree and plot its position; the eye lets the camera track it",
  "hydraulic-rig": "Open the plots: one cylinder pulls twice as hard",
  "screw-jack": "Spread two fingers to come near and watch the thread carry the nut",
  "peg-in-hole": "Choose a lower speed and watch it find the hole",
  gripper: "Rest a finger on the box, then pull: it slips when you pull too hard",
  andrews: "Choose a lower speed: it is over in a moment",
  "four-bars-40": "Rest a finger on one of them, then pull",
  "stack-of-20": "Choose the box among the tools and drop one on the top",
  "box-stack": "Rest a finger on a box below, then pull it out",
  "chain-links": "Rest a finger on the last link, then swing it",
  chain: "Rest a finger on the tip, then throw it",
  wave: "Rest a finger on one block of the thousand, then push it",
  field: "Choose the ball among the tools and roll one between the boxes",
  pendulum: "Rest a finger on the mass, then pull; its tension is in the plot",
  "double-pendulum-and-floor": "Show contact forces among the layers",
  "pendulum-and-wall": "Pause, and go step by step through the impact",
  "block-on-slope-mesh": "Show shared volumes among the layers",
  "rolling-cylinder-mesh": "Show shared volumes among the layers",
  "resisted-ball": "Give it a push: rest a finger on it, then drag",
  "bouncing-ball": "Choose the ball among the tools and drop a second one beside it",
  "falling-box": "Restart and watch it again at a quarter of the speed",
  "falling-rod": "Show contact forces among the layers",
  "colliding-balls": "Pause, and go step by step through the impact",
  "spinning-ball": "Open the plots: the spin falls on a straight line",
  "spinning-disk": "Open the plots: when does it stop?",
  "steel-impact": "Choose a lower speed until you can see it happen",
  "stick-slip": "Open the plots: it sticks, and it slips",
  "mass-spring-friction": "Rest a finger on the block, then pull it to the side",
};
// In the scene; what has none of its own gets what suits everything.
export function taskFor(name: string, hasKeys: boolean, isTouched: boolean): string {
  if (isTouched) return tasksByTouch[name] ?? tasks[name] ?? "Rest a finger on a body, then drag it; drag the timeline back";
  return tasks[name] ?? (hasKeys ? "Press [D]: its keys steer it. Hold [Shift] and drag a body" : "Hold [Shift] and drag a body; drag the timeline back");
}
// On the card.
export function hintFor(entry: GalleryEntry, isTouched: boolean): string {
  const task = (isTouched ? tasksByTouch[entry.name] : undefined) ?? tasks[entry.name] ?? "";
  return task.replace(/\[([^\]]+)\]/g, "$1");
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
