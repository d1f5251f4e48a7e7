// What buttons and keys do.
import { order } from "../core/session";
import * as store from "../core/store";
import * as view from "../view/actions";
import { isFilming } from "./layout";
import { clamp, nextSpeed } from "./scale";

const transport = () => store.playout.latest?.transport ?? store.state.value?.transport ?? null;
const now = () => store.playout.latest?.time ?? 0;

export function toggleRun(): void {
  void order(transport()?.is_running ? { pause: {} } : { run: {} });
}
export function step(): void {
  void order({ step: { count: 1 } });
}
export async function stepBack(): Promise<void> {
  const from = now();
  if (transport()?.is_running) await order({ pause: {} });
  seek(from - (store.scene.value?.step ?? 0));
}
export function restart(): void {
  void order({ restart: {} });
}
export function seek(time: number): Promise<unknown> {
  const range = transport();
  return order({ seek: { time: range ? clamp(time, range.first ?? 0, range.last ?? 0) : time } });
}
export function setSpeed(value: number): void {
  void order({ speed: { value } });
}
export function changeSpeed(direction: 1 | -1): void {
  setSpeed(nextSpeed(transport()?.speed ?? 1, direction));
}

export function openScene(name: string, parameters: Record<string, string> = {}): void {
  void order({ open: { scene: name, parameters } });
}
// The scene that is open, with other parameters, at the same moment.
export function openAgain(parameters: Record<string, string>): Promise<unknown> {
  return order({ open: { scene: store.sceneId.value, parameters, keep: true } });
}
export function writeBack(parameters: Record<string, string>): Promise<unknown> {
  return order({ write_back: { parameters } });
}
export function closeScene(): void {
  if (store.isOperator.value) void order({ close: {} });
}
export function takeSeat(): void {
  void order({ take: {} });
}
export function toggleRecord(): void {
  void order({ record: { on: store.recordingTo.value === null } });
}

export function track(body: number): void {
  const camera = store.camera.value;
  const isOn = camera.kind === "track" && camera.body === body;
  store.camera.value = isOn ? { kind: "free" } : { kind: "track", body };
}
export function attach(body: number): void {
  const camera = store.camera.value;
  const isOn = camera.kind === "attached" && camera.body === body;
  store.camera.value = isOn ? { kind: "free" } : { kind: "attached", body };
}
export function selectedBody(): number | null {
  const selection = store.selection.value;
  return selection?.kind === "body" && selection.index > 0 ? selection.index : null;
}

const removedAs = { body: "BODY", joint: "JOINT", link: "FORCE" } as const;
export async function removeSelection(): Promise<void> {
  const selection = store.selection.value;
  const scene = store.scene.value;
  if (!selection || !scene || (selection.kind === "body" && selection.index === 0)) return;
  const index = selection.kind === "link" ? (scene.links[selection.index]?.force ?? 0) : selection.index;
  if (await order({ remove: { kind: removedAs[selection.kind], index } })) store.selection.value = null;
}

export function undo(): void {
  void order({ undo: {} });
}

export function toggleLayer(layer: keyof store.Layers): void {
  store.layers.value = { ...store.layers.value, [layer]: !store.layers.value[layer] };
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
const fileName = (ending: string) => `${store.scene.value?.name ?? "bristle"} ${now().toFixed(2)} s.${ending}`;

export async function takeScreenshot(): Promise<void> {
  try {
    const name = fileName("png");
    download(await view.screenshot(), name);
    store.notify(`Saved “${name}”`, "info");
  } catch (error) {
    store.notify(`No picture: ${(error as Error).message}`);
  }
}

export async function toggleVideo(): Promise<void> {
  try {
    if (!isFilming.value) {
      view.startVideo();
      isFilming.value = true;
      return;
    }
    isFilming.value = false;
    const blob = await view.stopVideo();
    download(blob, fileName(blob.type.includes("mp4") ? "mp4" : "webm"));
  } catch (error) {
    isFilming.value = false;
    store.notify(`No video: ${(error as Error).message}`);
  }
}

export function pickAtCenter(): void {
  store.selection.value = view.pickAtCenter();
}
export function selectTool(tool: store.Tool): void {
  if (store.canSteer.value || tool === "select") store.tool.value = store.tool.value === tool ? "select" : tool;
}
