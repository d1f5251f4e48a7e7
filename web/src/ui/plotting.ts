// What is plotted and what has been seen of it, whether or not the plots are shown.
import { effect, signal, untracked } from "@preact/signals";
import { order, stateHandlers, valueOf, watch } from "../core/session";
import * as store from "../core/store";
import { arePlotsOpen } from "./layout";
import { unitOf } from "./quantities";
import { Samples } from "./samples";

export const samples = new Samples(20_000);
export const span = signal(10); // s that are shown; Infinity: all there is
export const zoom = signal<[number, number] | null>(null); // null: the newest are followed

stateHandlers.add((state) => samples.push(state.time, (name) => valueOf(state, name)));

let last = "";
effect(() => {
  const scene = store.scene.value;
  if (scene?.name === last) return;
  last = scene?.name ?? "";
  samples.clear();
  zoom.value = null;
});
effect(() => {
  const scene = store.scene.value;
  if (!scene) return;
  const wanted = [...new Set(store.plots.value.flatMap((plot) => plot.quantities.flatMap((q) => components(q, scene.quantities))))];
  const isNew = samples.setQuantities(wanted);
  untracked(() => watch("plots", wanted));
  if (isNew) recallSoon();
});

// What happened before somebody looked: the server computes it again. A scene that has just begun has no past.
let recalling: ReturnType<typeof setTimeout> | undefined;
function recallSoon(): void {
  clearTimeout(recalling);
  recalling = setTimeout(() => void recall(), 150);
}
async function recall(): Promise<void> {
  const scene = store.scene.value;
  const names = samples.names;
  const first = store.playout.latest?.transport?.first ?? 0;
  const past = (store.playout.latest?.time ?? first) - first;
  if (!scene || scene.is_recording || names.length === 0 || past <= 2 * scene.step) return;
  const answer = await order({ history: { quantities: names } });
  if (answer?.history && store.scene.value?.name === scene.name) samples.recall(names, answer.history.times ?? [], answer.history.values ?? []);
}

// A name may stand for a vector: then its components.
export function components(quantity: string, known: readonly string[]): string[] {
  const parts = ["x", "y", "z", "w"].map((c) => `${quantity}.${c}`).filter((q) => known.includes(q));
  return parts.length ? parts : [quantity];
}

// What is shown now.
export function shownRange(): [number, number] {
  if (zoom.value) return zoom.value;
  const end = samples.last ?? 0;
  const begin = Math.max(samples.first ?? 0, end - span.value);
  return [begin, end > begin ? end : begin + 1];
}

// To a plot that has them or the same unit of the same thing; otherwise to one of their own.
export function addCurve(quantities: string[], to?: number): void {
  const scene = store.scene.value;
  if (!scene || !quantities.length) return;
  arePlotsOpen.value = true;
  const plots = store.plots.value;
  if (to === undefined && plots.some((plot) => quantities.every((q) => plot.quantities.includes(q)))) return;
  const unit = unitOf(quantities[0]!, scene);
  const target = to === undefined ? undefined : plots[to];
  if (target && (target.quantities.length === 0 || unitOf(target.quantities[0]!, scene) === unit)) {
    const joined = [...new Set([...target.quantities, ...quantities])];
    store.plots.value = plots.map((plot) => (plot === target ? { ...plot, quantities: joined } : plot));
  } else {
    store.plots.value = [...plots, { title: titleOf(quantities), quantities }];
  }
}

export function removeCurve(plot: store.Plot, quantity: string): void {
  const left = plot.quantities.filter((q) => q !== quantity);
  if (left.length === 0) removePlot(plot);
  else store.plots.value = store.plots.value.map((p) => (p === plot ? { ...p, quantities: left } : p));
}
export function removePlot(plot: store.Plot): void {
  store.plots.value = store.plots.value.filter((p) => p !== plot);
}

// crank.position.x and crank.position.y: crank.position
function titleOf(quantities: string[]): string {
  const first = quantities[0]!;
  return quantities.length === 1 ? first : first.replace(/\.[^.]*$/, "");
}
