// The one table of keys: the handler runs it, the help shows it.
import * as store from "../core/store";
import { directions, fitView, lookFrom, nudgeCamera } from "../view/actions";
import * as commands from "./commands";
import * as layout from "./layout";
import { switchTheme } from "./theme";

// When a key does something: anywhere, in a scene, in the 3D view while it has the focus, for who may run the
// session, for who may change the motion.
export type Where = "anywhere" | "scene" | "view" | "operator" | "steer";

export interface Shortcut {
  keys: string[]; // as KeyboardEvent.key says, letters in lower case
  about: string;
  group: "Time" | "Camera" | "Tools" | "Panels" | "Output";
  where: Where;
  run: (key: string) => void;
}

const turn = 0.08; // rad a key press
const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-turn, 0],
  ArrowRight: [turn, 0],
  ArrowUp: [0, turn],
  ArrowDown: [0, -turn],
};

function withBody(act: (body: number) => void): void {
  const body = commands.selectedBody();
  if (body === null) store.notify("Select a body first.", "info");
  else act(body);
}
function toggle(panel: typeof layout.isTreeOpen, focus: string): void {
  panel.value = !panel.value;
  if (panel.value) layout.focusFirst(focus);
  else layout.focusView();
}

export const shortcuts: Shortcut[] = [
  { keys: [" "], about: "Run or pause", group: "Time", where: "operator", run: commands.toggleRun },
  { keys: ["."], about: "One step", group: "Time", where: "operator", run: commands.step },
  { keys: [","], about: "Back one step", group: "Time", where: "operator", run: () => void commands.stepBack() },
  { keys: ["Home"], about: "Restart", group: "Time", where: "operator", run: commands.restart },
  { keys: ["End"], about: "To the newest moment", group: "Time", where: "operator", run: () => void commands.seek(Infinity) },
  { keys: ["+", "="], about: "Faster", group: "Time", where: "operator", run: () => commands.changeSpeed(1) },
  { keys: ["-"], about: "Slower", group: "Time", where: "operator", run: () => commands.changeSpeed(-1) },
  { keys: ["0"], about: "Real time", group: "Time", where: "operator", run: () => commands.setSpeed(1) },

  { keys: ["f"], about: "See everything", group: "Camera", where: "scene", run: fitView },
  {
    keys: ["1", "2", "3", "4", "5", "6"],
    about: "From aslant, front, back, left, right, top",
    group: "Camera",
    where: "scene",
    run: (key) => lookFrom(directions[Number(key) - 1]!),
  },
  {
    keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
    about: "Turn, in the view",
    group: "Camera",
    where: "view",
    run: (key) => nudgeCamera(...arrows[key]!, 1, 0, 0),
  },
  { keys: ["PageUp"], about: "Nearer", group: "Camera", where: "view", run: () => nudgeCamera(0, 0, 1.15, 0, 0) },
  { keys: ["PageDown"], about: "Farther", group: "Camera", where: "view", run: () => nudgeCamera(0, 0, 1 / 1.15, 0, 0) },
  { keys: ["q"], about: "Track the selected body", group: "Camera", where: "scene", run: () => withBody(commands.track) },
  { keys: ["a"], about: "Attach to the selected body", group: "Camera", where: "scene", run: () => withBody(commands.attach) },

  { keys: ["Enter"], about: "Select what is in the middle of the view", group: "Tools", where: "view", run: commands.pickAtCenter },
  { keys: ["g"], about: "Grab a body", group: "Tools", where: "steer", run: () => commands.selectTool("grab") },
  { keys: ["b"], about: "Add a box", group: "Tools", where: "steer", run: () => commands.selectTool("box") },
  { keys: ["o"], about: "Add a ball", group: "Tools", where: "steer", run: () => commands.selectTool("sphere") },
  { keys: ["k"], about: "Add a spring", group: "Tools", where: "steer", run: () => commands.selectTool("spring") },
  { keys: ["j"], about: "Add a hinge", group: "Tools", where: "steer", run: () => commands.selectTool("revolute") },
  { keys: ["u"], about: "Undo what was added or removed last (also Ctrl Z)", group: "Tools", where: "steer", run: commands.undo },
  { keys: ["Delete"], about: "Remove the selection", group: "Tools", where: "steer", run: () => void commands.removeSelection() },
  {
    keys: ["d"],
    about: "Drive with the keys of the scene",
    group: "Tools",
    where: "steer",
    run: () => {
      layout.isDriving.value = !layout.isDriving.value;
      const { keyboard, mouse } = store.controls.value;
      if (keyboard.length + mouse.length === 0) {
        store.notify("No keys steer this scene.", "info");
      }
    },
  },

  { keys: ["n"], about: "Scene tree", group: "Panels", where: "scene", run: () => toggle(layout.isTreeOpen, ".tree-rows") },
  { keys: ["i"], about: "Inspector and controls", group: "Panels", where: "scene", run: () => toggle(layout.isInspectorOpen, ".tabs [aria-selected=true]") },
  { keys: ["p"], about: "Plots", group: "Panels", where: "scene", run: () => toggle(layout.arePlotsOpen, ".plots .add") },
  { keys: ["l"], about: "Layers", group: "Panels", where: "scene", run: () => layout.toggleMenu("layers") },
  { keys: ["c"], about: "Camera", group: "Panels", where: "scene", run: () => layout.toggleMenu("camera") },
  { keys: ["m"], about: "Tools", group: "Panels", where: "steer", run: () => layout.toggleMenu("tools") },
  { keys: ["w"], about: "To the 3D view", group: "Panels", where: "scene", run: layout.focusView },
  { keys: ["/"], about: "Search", group: "Panels", where: "anywhere", run: () => {
      if (store.scene.value) layout.isTreeOpen.value = true;
      layout.focusFirst("input[type=search]");
    },
  },
  { keys: ["t"], about: "Light or dark", group: "Panels", where: "anywhere", run: switchTheme },
  { keys: ["?"], about: "This help", group: "Panels", where: "anywhere", run: () => (store.isHelpOpen.value = true) },
  { keys: ["Escape"], about: "Close, let go, select nothing", group: "Panels", where: "anywhere", run: escape },

  { keys: ["r"], about: "Record", group: "Output", where: "operator", run: commands.toggleRecord },
  { keys: ["s"], about: "Screenshot", group: "Output", where: "scene", run: () => void commands.takeScreenshot() },
  { keys: ["v"], about: "Video", group: "Output", where: "scene", run: () => void commands.toggleVideo() },
];

function escape(): void {
  if (layout.menu.value) layout.menu.value = null;
  else if (layout.isDriving.value) layout.isDriving.value = false;
  else if (store.tool.value !== "select") store.tool.value = "select";
  else store.selection.value = null;
}

export function nameOfKey(key: string): string {
  const names: Record<string, string> = {
    " ": "Space",
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
    PageUp: "Page ↑",
    PageDown: "Page ↓",
    Escape: "Esc",
    Delete: "Del",
    "-": "−",
  };
  return names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

// What a field, slider or list does with a key itself.
function isTakenBy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === "range") {
    return /^(Arrow|Page|Home$|End$)/.test(key);
  }
  if (target instanceof HTMLInputElement && target.type === "checkbox") return key === " ";
  if (target.matches("input, textarea, select, [contenteditable]")) return true;
  if (target.matches("button, a, summary, [role=button], [role=tab]")) return key === " " || key === "Enter";
  return false;
}

function isAllowed(where: Where, target: EventTarget | null): boolean {
  if (where === "anywhere") return true;
  if (!store.scene.value) return false;
  switch (where) {
    case "scene":
      return true;
    case "view":
      return target === document.body || (target instanceof HTMLElement && target.closest(".stage") !== null);
    case "operator":
      return store.isOperator.value;
    case "steer":
      return store.canSteer.value;
  }
}

export function onKey(event: KeyboardEvent): void {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
  if (isUndo && !event.defaultPrevented && !isTakenBy(event.target, "z") && isAllowed("steer", event.target)) {
    event.preventDefault();
    commands.undo();
    return;
  }
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (store.isHelpOpen.value || isTakenBy(event.target, event.key)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const shortcut = shortcuts.find((s) => s.keys.includes(key));
  if (!shortcut || !isAllowed(shortcut.where, event.target)) return;
  // A held key repeats what is small, and not what switches.
  if (event.repeat && !/^(Arrow|Page|[.,+=-]$)/.test(key)) return;
  event.preventDefault();
  shortcut.run(key);
}
