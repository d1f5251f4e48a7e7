// Joins the client and the store: what comes in is put where it belongs, orders go out by name.
import { batch } from "@preact/signals";
import { askableOf } from "./askable";
import { breakdownAfter } from "./breakdown";
import { Client, type Scene, type ServerEvent, type State } from "./client";
import type { GroundMessage } from "./ground";
import type { Answer, OrderKind, Watch, Welcome } from "./messages";
import { bristle } from "./protocol.js";
import * as store from "./store";

let client: Client | null = null;

function tabName(): string {
  let name = sessionStorage.getItem("bristle-tab");
  if (!name) {
    name = crypto.getRandomValues(new Uint32Array(4)).join("-");
    sessionStorage.setItem("bristle-tab", name);
  }
  return name;
}

// The token is in the part of the address that browsers do not send.
export function tokenIn(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token") ?? "";
}

export function start(location: Location): void {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const listener = {
    link: (now: typeof store.link.value, why: string) => {
      store.link.value = now;
      store.trouble.value = why;
    },
    welcome: (welcome: Welcome) => {
      store.role.value = welcome.role;
      store.mayTake.value = welcome.may_take;
      if (welcome.scene === undefined) leaveScene();
      else store.sceneId.value = welcome.scene;
    },
    scene: takeScene,
    state: takeState,
    ground: takeGround,
    event: takeEvent,
    silent: (isSilent: boolean) => void (store.isSilent.value = isSilent),
  };
  client = new Client(`${scheme}://${location.host}/live`, tokenIn(location.hash), listener, tabName());
  client.connect();
}

// Orders whose refusal the user should see. Resolves to null if it was refused.
export async function order(what: OrderKind): Promise<Answer | null> {
  try {
    return await client!.order(what);
  } catch (error) {
    store.notify((error as Error).message);
    return null;
  }
}

function takeScene(scene: Scene): void {
  const before = store.scene.value;
  const isAgain = arrival === "again";
  const isOpened = !isAgain && (arrival === "new" || before?.name !== scene.name);
  arrival = null;
  batch(() => {
    store.grounds.take(scene, isAgain || isOpened);
    store.scene.value = scene;
    store.opening.value = null;
    if (isAgain) keepSelection(before, scene);
    if (isAgain || isOpened) store.breakdown.value = null;
    if (isAgain) store.playout.clear();
    if (!isOpened) return;
    store.playout.clear();
    store.state.value = null;
    store.selection.value = null;
    store.hovered.value = null;
    store.tool.value = "select";
    store.making.value = { ...store.making.value, sizes: {}, mass: null, material: "" };
    if (before?.name === scene.name) return; // again, with other parameters: looked at in the same way
    store.visit.value++;
    store.camera.value = { kind: "free" };
    store.plots.value = scene.plots.map((p) => ({ title: p.title ?? "", quantities: p.quantities ?? [] }));
  });
  watchAgain();
}
let arrival: "new" | "again" | null = null; // of the next scene, even if it has the name of the last

// By its name: the same number may be another body now.
function keepSelection(before: Scene | null, now: Scene): void {
  const selected = store.selection.value;
  store.hovered.value = null;
  if (!selected || !before) return;
  const list = ({ body: "bodies", joint: "joints", link: "links" } as const)[selected.kind];
  const name = before[list][selected.index]?.name;
  const index = now[list].findIndex((thing) => thing.name === name);
  store.selection.value = index < 0 ? null : { kind: selected.kind, index };
}

function leaveScene(): void {
  batch(() => {
    store.scene.value = null;
    store.state.value = null;
    store.breakdown.value = null;
    store.recordingTo.value = null;
    store.timing.value = null;
  });
  store.playout.clear();
  wished.clear();
}

function takeGround(message: GroundMessage): void {
  store.grounds.hear(message);
  store.groundVersion.value = store.grounds.version;
}

let lastShown = 0;
function takeState(state: State): void {
  if (state.revision !== store.scene.value?.revision) return; // its scene is on the way
  const now = performance.now();
  store.playout.push(state, now);
  store.breakdown.value = breakdownAfter(store.breakdown.value, state);
  for (const see of stateHandlers) see(state);
  if (now - lastShown > 100 || !state.transport?.is_running) {
    lastShown = now;
    store.state.value = state;
  }
}
// Those who want every state, such as plots.
export const stateHandlers = new Set<(state: State) => void>();

function takeEvent(event: ServerEvent): void {
  if ("role" in event) {
    store.role.value = event.role.role;
    if (event.role.why) store.notify(event.role.why, "info");
  } else if ("viewers" in event) {
    store.viewers.value = event.viewers.count;
    store.hasOperator.value = event.viewers.has_operator;
  } else if ("watched" in event) {
    store.watched.value = event.watched;
  } else if ("opened" in event) {
    arrival = event.opened.again ? "again" : "new";
    store.sceneId.value = event.opened.scene;
  } else if ("opening" in event) {
    store.opening.value = event.opening.scene;
  } else if ("failed" in event) {
    store.opening.value = null;
    store.notify(event.failed.error);
  } else if ("report" in event) {
    store.report.value = event.report;
  } else if ("closed" in event) {
    leaveScene();
  } else if ("recording" in event) {
    store.recordingTo.value = event.recording.file ?? null;
    if (event.recording.trouble) store.notify(`The recording has ended: ${event.recording.trouble}`);
  } else if ("controls" in event) {
    store.controls.value = event.controls;
  } else if ("timing" in event) {
    store.timing.value = event.timing;
  }
}

// Tells the server which numbers this page looks at: those of the plots and of the inspector. What the scene no
// longer has is left out, and so is what would be too much.
const { MOST_QUANTITIES: mostQuantities, SHARE_OF_A_VIEWER: shareOfAViewer } = bristle.wire.Agreed;
const wished = new Map<string, string[]>();
export function watch(who: string, quantities: string[]): void {
  if (JSON.stringify(wished.get(who) ?? []) === JSON.stringify(quantities)) return;
  wished.set(who, quantities);
  watchAgain();
}
let isToldSoon = false;
function watchAgain(): void {
  if (isToldSoon) return;
  isToldSoon = true;
  queueMicrotask(() => {
    isToldSoon = false;
    const scene = store.scene.value;
    if (store.link.value !== "open" || !scene) return;
    const wanted = [...new Set([...wished.values()].flat())].filter(askableOf(scene));
    const quantities = withinShare(wanted, scene.plots).slice(0, mostQuantities);
    void order({ watch: { quantities, ...looks() } });
  });
}
// Who only watches may have those of the scene's plots and some of its own.
function withinShare(quantities: string[], plots: { quantities?: string[] | null }[]): string[] {
  if (store.isOperator.value) return quantities;
  const plotted = new Set(plots.flatMap((plot) => plot.quantities ?? []));
  let left = shareOfAViewer;
  return quantities.filter((q) => plotted.has(q) || left-- > 0);
}
// What costs the simulation time only comes if it is shown.
function looks(): Watch {
  const { forces, reactions, contours, volumes } = store.layers.value;
  return { reactions: forces || reactions || store.selection.value?.kind === "link", contours, volumes };
}
let looked = "";
const lookAgain = () => {
  const now = JSON.stringify(looks());
  if (now === looked) return;
  looked = now;
  watchAgain();
};
store.layers.subscribe(lookAgain);
store.selection.subscribe(lookAgain);
store.link.subscribe(() => watchAgain());

// The number of a quantity in a state, if it is in it.
export function valueOf(state: State, quantity: string): number | undefined {
  if (state.watch !== store.watched.value.number) return undefined;
  return state.values[store.watched.value.quantities.indexOf(quantity)];
}
