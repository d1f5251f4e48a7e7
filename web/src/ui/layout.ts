// Which panels are open, and what the page alone knows.
import { effect, signal } from "@preact/signals";

export type Menu = "layers" | "camera" | "tools" | "speed" | "timing" | "layouts";
export type Tab = "inspect" | "controls" | "parameters";

const isRoomy = matchMedia("(min-width: 900px)").matches;
export const isTouched = matchMedia("(pointer: coarse)").matches; // by fingers: what is told of keys helps nobody
export const isTreeOpen = signal(isRoomy);
export const isInspectorOpen = signal(isRoomy);
export const arePlotsOpen = signal(isRoomy && matchMedia("(min-height: 640px)").matches);
export const tab = signal<Tab>("inspect");
export const viewCount = signal<1 | 2 | 4>(1); // 3D views at once
export const menu = signal<Menu | null>(null);
export const isFilming = signal(false);
export const isDriving = signal(false); // keys go to the scene

export function toggleMenu(which: Menu): void {
  menu.value = menu.value === which ? null : which;
}

// On a narrow screen panels lie over the view, one at a time.
const narrow = matchMedia("(max-width: 700px)");
let before = { tree: isTreeOpen.value, inspector: isInspectorOpen.value };
effect(() => {
  const now = { tree: isTreeOpen.value, inspector: isInspectorOpen.value };
  if (narrow.matches && now.tree && now.inspector) {
    if (before.tree) isTreeOpen.value = false;
    else isInspectorOpen.value = false;
  }
  before = { tree: isTreeOpen.peek(), inspector: isInspectorOpen.peek() };
});

export function focusView(): void {
  document.querySelector<HTMLElement>(".stage canvas")?.focus({ preventScroll: true });
}
export function focusFirst(selector: string): void {
  // Behind the drawing of the panel that was just opened, and before the next key.
  queueMicrotask(() => document.querySelector<HTMLElement>(selector)?.focus());
}
