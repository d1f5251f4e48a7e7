// Joins the client and the store: what comes in is put where it belongs, orders go out by name.
import { batch } from "@preact/signals";
import { Client, type Reply, type Scene, type ServerEvent, type State } from "./client";
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
    hello: (reply: Reply) => {
      store.role.value = reply["role"] === "operator" ? "operator" : "viewer";
      store.mayTake.value = reply["may_take"] === true;
      if (!reply["scene"]) leaveScene();
    },
    scene: takeScene,
    state: takeState,
    event: takeEvent,
  };
  client = new Client(`${scheme}://${location.host}/live`, tokenIn(location.hash), listener, tabName());
  client.connect();
}

// Orders whose refusal the user should see. Resolves to null if it was refused.
export async function order(what: string, fields: Record<string, unknown> = {}): Promise<Reply | null> {
  try {
    return await client!.order(what, fields);
  } catch (error) {
    store.notify((error as Error).message);
    return null;
  }
}

function takeScene(scene: Scene): void {
  const before = store.scene.value;
  const isOpened = isNew || before?.name !== scene.name;
  isNew = false;
  batch(() => {
    store.scene.value = scene;
    store.opening.value = null;
    if (!isOpened) return;
    store.playout.clear();
    store.state.value = null;
    store.selection.value = null;
    store.hovered.value = null;
    store.tool.value = "select";
    if (before?.name === scene.name) return; // again, with other parameters: looked at in the same way
    store.camera.value = { kind: "free" };
    store.plots.value = scene.plots.map((p) => ({ title: p.title ?? "", quantities: p.quantities ?? [] }));
  });
  watchAgain();
}
let isNew = false; // the next scene was just opened, even if it has the name of the last

function leaveScene(): void {
  batch(() => {
    store.scene.value = null;
    store.state.value = null;
    store.recordingTo.value = null;
    store.timing.value = null;
  });
  store.playout.clear();
  wished.clear();
}

let lastShown = 0;
function takeState(state: State): void {
  if (state.revision !== store.scene.value?.revision) return; // its scene is on the way
  const now = performance.now();
  store.playout.push(state, now);
  for (const see of stateHandlers) see(state);
  if (now - lastShown > 100 || !state.transport?.is_running) {
    lastShown = now;
    store.state.value = state;
  }
}
// Those who want every state, such as plots.
export const stateHandlers = new Set<(state: State) => void>();

function takeEvent(event: ServerEvent): void {
  switch (event.event) {
    case "role":
      store.role.value = event["role"] === "operator" ? "operator" : "viewer";
      if (event["why"]) store.notify(String(event["why"]), "info");
      break;
    case "viewers":
      store.viewers.value = Number(event["count"]);
      store.hasOperator.value = event["operator"] === true;
      break;
    case "watched":
      store.watched.value = { number: Number(event["number"]), quantities: event["quantities"] as string[] };
      break;
    case "opened":
      isNew = true;
      break;
    case "opening":
      store.opening.value = String(event["scene"]);
      break;
    case "failed":
      store.opening.value = null;
      store.notify(String(event["error"]));
      break;
    case "closed":
      leaveScene();
      break;
    case "recording":
      store.recordingTo.value = event["on"] === true ? String(event["file"]) : null;
      break;
    case "controls":
      store.controls.value = event as unknown as typeof store.controls.value;
      break;
    case "timing":
      store.timing.value = event as unknown as typeof store.timing.value;
      break;
  }
  for (const handle of store.eventHandlers) handle(event);
}

// Tells the server which numbers this page looks at: those of the plots and of the inspector. What the scene no
// longer has is left out, and so is what would be too much.
const mostQuantities = 64;
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
    const known = new Set(scene.quantities);
    const quantities = [...new Set([...wished.values()].flat())].filter((q) => isKnown(q, known));
    void order("watch", { quantities: quantities.slice(0, mostQuantities), ...looks() });
  });
}
// What costs the simulation time only comes if it is shown.
function looks(): { reactions: boolean; contours: boolean; volumes: boolean } {
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

// What a scene can be asked. A point of a body, or the force on one, is not in its list.
function isKnown(quantity: string, known: ReadonlySet<string>): boolean {
  return known.has(quantity) || /\bpoint\(|^contact\.force\(/.test(quantity);
}

// The number of a quantity in a state, if it is in it.
export function valueOf(state: State, quantity: string): number | undefined {
  if (state.watch !== store.watched.value.number) return undefined;
  return state.values[store.watched.value.quantities.indexOf(quantity)];
}
