// All that the page knows and lets the user choose, as signals. Panels read and set them; the 3D view reads
// them each frame. What changes with every state (poses, values) is not here but in `playout`, which is read once
// a drawn frame; what panels show of it is refreshed ten times a second.
import { computed, signal } from "@preact/signals";
import type { Link, Scene, State } from "./client";
import type { Controls, Report, Role, Timing, Watched } from "./messages";
import { Grounds } from "./ground";
import { Playout } from "./playout";

export interface Selection {
  kind: "body" | "joint" | "link";
  index: number;
}

export interface Layers {
  contacts: boolean;
  normals: boolean;
  forces: boolean; // of contacts, springs and the hand
  joints: boolean;
  reactions: boolean;
  contours: boolean; // of patches
  volumes: boolean; // that solids share
  boxes: boolean;
  names: boolean;
  grid: boolean;
}

export type Camera =
  | { kind: "free" }
  | { kind: "track"; body: number } // keeps looking at the body, from where it is
  | { kind: "attached"; body: number }; // moves and turns with the body

// What a click in the 3D view does.
export type Tool = "select" | "grab" | "box" | "sphere" | "capsule" | "cylinder" | "polygon" | "spring" | "revolute" | "fixed" | "spherical";

export interface Plot {
  title: string;
  quantities: string[];
}

export const link = signal<Link>("connecting");
export const trouble = signal(""); // why the connection was refused or lost
export const isSilent = signal(false); // connected, but the server does not answer
export const role = signal<Role>("VIEWER");
export const mayTake = signal(false); // a viewer that may become the operator
export const viewers = signal(0);
export const hasOperator = signal(false);
export const opening = signal<string | null>(null); // a scene that is being loaded
export const notices = signal<{ id: number; text: string; kind: "error" | "info" }[]>([]);

export const scene = signal<Scene | null>(null); // null: the gallery
export const sceneId = signal(""); // what the gallery calls it: a scene of one's own goes by its path
export const visit = signal(0); // counts the scenes that were opened; one that is read again is none
export const report = signal<Report>({ mistakes: [], warnings: [], may_write: false, parameters: {} }); // on its file
// Why the simulation could not go on, and when; stays while somebody looks at what led to it.
export interface Breakdown {
  at: number; // s
  why: string;
}
export const breakdown = signal<Breakdown | null>(null);
export const playout = new Playout();
export const grounds = new Grounds();
export const groundVersion = signal(0); // changes when they do
export const state = signal<State | null>(null); // ten times a second, for panels
export const timing = signal<Timing | null>(null);
export const controls = signal<Controls>({ keyboard: [], gamepad: [], mouse: [], channels: [] });
export const recordingTo = signal<string | null>(null);

// The quantities that the values of states with this number are of.
export const watched = signal<Watched>({ number: 0, quantities: [] });
export const plots = signal<Plot[]>([]);

export const selection = signal<Selection | null>(null);
export const hovered = signal<Selection | null>(null);
export const layers = signal<Layers>({
  contacts: true,
  normals: false,
  forces: false,
  joints: false,
  reactions: false,
  contours: true,
  volumes: false,
  boxes: false,
  names: false,
  grid: true,
});
export const camera = signal<Camera>({ kind: "free" });
export const tool = signal<Tool>("select");
// How what is added shall be: sizes by the shape (m; none: as suits the scene), mass (kg; null: by the usual density), corners of a
// polygon.
export interface Making {
  sizes: Record<string, number[]>;
  mass: number | null;
  material: string;
  corners: number;
}
export const making = signal<Making>({ sizes: {}, mass: null, material: "", corners: 6 });
export const theme = signal<"light" | "dark">("light");
export const isHelpOpen = signal(false);

export const isOperator = computed(() => role.value === "OPERATOR");
export const canSteer = computed(() => isOperator.value && scene.value !== null && !scene.value.is_recording);

let lastNotice = 0;
export function notify(text: string, kind: "error" | "info" = "error"): void {
  const id = ++lastNotice;
  notices.value = [...notices.value.slice(-4), { id, text, kind }];
  setTimeout(() => (notices.value = notices.value.filter((n) => n.id !== id)), kind === "error" ? 8000 : 4000);
}
