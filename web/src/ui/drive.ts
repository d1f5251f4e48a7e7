// Keys, mouse and gamepads that steer the scene. A device sends only what changed; whatever is held is let go when the
// page loses the focus, the seat or the device.
import { effect, signal } from "@preact/signals";
import type { ControlDevice } from "../core/messages";
import { order } from "../core/session";
import * as store from "../core/store";
import { isDriving } from "./layout";
import { NewestWins } from "./newest";

const smallest = 0.005; // of a stick's travel: below this it only trembles

export const gamepadName = signal<string | null>(null);

// What the device's controls were last told to be.
export class Held {
  private readonly values = new Map<string, number>();
  constructor(private readonly send: (control: string, value: number) => void) {}

  set(control: string, value: number): void {
    const before = this.values.get(control) ?? 0;
    const isEnd = value === 0 || Math.abs(value) === 1; // must be reached exactly
    if (value === before || (!isEnd && Math.abs(value - before) < smallest)) return;
    this.values.set(control, value);
    this.send(control, value);
  }
  release(): void {
    for (const control of [...this.values.keys()]) this.set(control, 0);
    this.values.clear();
  }
}

const senders = new Map<string, NewestWins<number>>();
function sender(device: ControlDevice) {
  return (control: string, value: number) => {
    const name = `${device} ${control}`;
    let queue = senders.get(name);
    if (!queue) {
      queue = new NewestWins((v) => order({ control: { device, control, value: v } }));
      senders.set(name, queue);
    }
    queue.push(value);
  };
}

const keyboard = new Held(sender("KEYBOARD"));
const mouse = new Held(sender("MOUSE"));
const gamepad = new Held(sender("GAMEPAD"));

// What each key that is down was called when it went down: with Shift it may be called otherwise when it comes up.
const down = new Map<string, string>();

function onKeyDown(event: KeyboardEvent): void {
  if (!isDriving.value || event.ctrlKey || event.altKey || event.metaKey) return;
  if ((event.target as HTMLElement).matches?.("input:not([type=range]), textarea, select")) return;
  const control = `key ${event.key === " " ? "space" : event.key.toLowerCase()}`;
  if (!store.controls.value.keyboard.includes(control)) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.repeat) return;
  down.set(event.code, control);
  keyboard.set(control, 1);
}

function onKeyUp(event: KeyboardEvent): void {
  const control = down.get(event.code);
  if (control) keyboard.set(control, 0);
  down.delete(event.code);
}

// While the scene is driven, dragging in the view is a stick: full deflection is half the view's height.
let grip: { x: number; y: number; size: number } | null = null;

function onPointer(event: PointerEvent): void {
  const stage = (event.target as HTMLElement).closest?.(".stage");
  const meant = store.controls.value.mouse;
  if (!isDriving.value || meant.length === 0 || !(stage || grip)) return;
  if (event.type === "pointerdown" && stage && event.button === 0) {
    grip = { x: event.clientX, y: event.clientY, size: stage.clientHeight / 2 };
    if (meant.includes("button 0")) mouse.set("button 0", 1);
  } else if (event.type === "pointermove" && grip) {
    const share = (pixels: number) => Math.min(1, Math.max(-1, pixels / grip!.size));
    if (meant.includes("axis x")) mouse.set("axis x", share(event.clientX - grip.x));
    if (meant.includes("axis y")) mouse.set("axis y", share(event.clientY - grip.y));
  } else if (event.type !== "pointermove") {
    letGoOfMouse();
  } else {
    return;
  }
  event.stopPropagation();
}
function letGoOfMouse(): void {
  grip = null;
  mouse.release();
}

function poll(): void {
  const pad = navigator.getGamepads().find((p) => p?.connected) ?? null;
  if (!pad) {
    gamepad.release();
    gamepadName.value = null;
    return;
  }
  gamepadName.value = pad.id;
  if (store.canSteer.value && document.hasFocus()) {
    const meant = store.controls.value.gamepad;
    pad.axes.forEach((value, i) => meant.includes(`axis ${i}`) && gamepad.set(`axis ${i}`, value));
    pad.buttons.forEach((b, i) => meant.includes(`button ${i}`) && gamepad.set(`button ${i}`, b.value));
  }
  requestAnimationFrame(poll);
}

export function startDevices(): void {
  window.addEventListener("keydown", onKeyDown, true);
  window.addEventListener("keyup", onKeyUp, true);
  for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel"] as const) {
    window.addEventListener(name, onPointer, true);
  }
  const letGoOfKeys = () => {
    down.clear();
    keyboard.release();
  };
  const letGo = () => {
    letGoOfKeys();
    letGoOfMouse();
    gamepad.release();
  };
  window.addEventListener("blur", letGo);
  window.addEventListener("gamepadconnected", () => gamepadName.value ?? poll());
  effect(() => {
    if (isDriving.value) return;
    letGoOfKeys();
    letGoOfMouse();
  });
  effect(() => {
    const { keyboard, mouse } = store.controls.value;
    if (!store.canSteer.value || keyboard.length + mouse.length === 0) isDriving.value = false;
  });
}
