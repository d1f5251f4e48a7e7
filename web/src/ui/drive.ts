// Keys and gamepads that steer the scene. A device sends only what changed; whatever is held is let go when the
// page loses the focus, the seat or the device.
import { effect, signal } from "@preact/signals";
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
function sender(device: string) {
  return (control: string, value: number) => {
    const name = `${device} ${control}`;
    let queue = senders.get(name);
    if (!queue) {
      queue = new NewestWins((v) => order("control", { device, control, value: v }));
      senders.set(name, queue);
    }
    queue.push(value);
  };
}

const keyboard = new Held(sender("keyboard"));
const gamepad = new Held(sender("gamepad"));

function controlOf(event: KeyboardEvent): string | null {
  const control = `key ${event.key === " " ? "space" : event.key.toLowerCase()}`;
  return store.controls.value.keyboard.includes(control) ? control : null;
}

function onKeyDown(event: KeyboardEvent): void {
  if (!isDriving.value || event.ctrlKey || event.altKey || event.metaKey) return;
  if ((event.target as HTMLElement).matches?.("input:not([type=range]), textarea, select")) return;
  const control = controlOf(event);
  if (!control) return;
  event.preventDefault();
  event.stopPropagation();
  if (!event.repeat) keyboard.set(control, 1);
}

function onKeyUp(event: KeyboardEvent): void {
  const control = controlOf(event);
  if (control && isDriving.value) keyboard.set(control, 0);
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
  const letGo = () => {
    keyboard.release();
    gamepad.release();
  };
  window.addEventListener("blur", letGo);
  window.addEventListener("gamepadconnected", () => gamepadName.value ?? poll());
  effect(() => {
    if (!isDriving.value) keyboard.release();
  });
  effect(() => {
    if (!store.canSteer.value || store.controls.value.keyboard.length === 0) isDriving.value = false;
  });
}
