// What the rest of the page may ask of the 3D view. Without a view (no WebGL, not yet there) pictures are
// refused and the rest does nothing.
import { signal } from "@preact/signals";
import type { Selection } from "../core/store";

// In the order of their keys.
export const directions = ["aslant", "front", "back", "left", "right", "top"] as const;
export type Direction = (typeof directions)[number];
export const directionNames: Record<Direction, string> = {
  aslant: "From aslant",
  front: "From the front",
  back: "From the back",
  left: "From the left",
  right: "From the right",
  top: "From above",
};

export interface Actions {
  screenshot(): Promise<Blob>;
  startVideo(): void;
  stopVideo(): Promise<Blob>;
  fitView(): void;
  lookFrom(direction: Direction): void;
  nudgeCamera(yaw: number, pitch: number, zoom: number, panX: number, panY: number): void;
  pickAtCenter(): Selection | null;
}

// The one that was used last is meant; the first to come is there at the start.
let view: Actions | null = null;
const views: Actions[] = [];
export function attach(actions: Actions): void {
  views.push(actions);
  view ??= actions;
}
export function detach(actions: Actions): void {
  views.splice(views.indexOf(actions), 1);
  if (view === actions) view = views[0] ?? null;
}
export function prefer(actions: Actions): void {
  view = actions;
}
function present(): Actions {
  if (!view) throw new Error("there is no 3D view");
  return view;
}

// Of the last second: draw calls and triangles of a frame over all passes, ms of script a frame (median), frames
// drawn a second.
export const statistics = signal({ calls: 0, triangles: 0, scripting: 0, fps: 0 });
// What arrows of this length (m) stand for, in N and N m; null: none are drawn.
export const arrowScale = signal<{ length: number; force: number | null; moment: number | null }>({ length: 1, force: null, moment: null });

// m, radius of a typical body of the scene: what is added is about as large.
export const usualUnit = signal(1);

export async function screenshot(): Promise<Blob> {
  return present().screenshot();
}
export function startVideo(): void {
  present().startVideo();
}
export async function stopVideo(): Promise<Blob> {
  return present().stopVideo();
}
export function fitView(): void {
  view?.fitView();
}
export function lookFrom(direction: Direction): void {
  view?.lookFrom(direction);
}
// Turns by angles (rad), zooms by a factor (e.g. 1.1 is nearer) and pans by shares of the picture's height.
export function nudgeCamera(yaw: number, pitch: number, zoom: number, panX = 0, panY = 0): void {
  view?.nudgeCamera(yaw, pitch, zoom, panX, panY);
}
export function pickAtCenter(): Selection | null {
  return view?.pickAtCenter() ?? null;
}
