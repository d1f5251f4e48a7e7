// Layouts with a name: which panels are open, how many views, which layers and which plots. Kept by the browser.
import { signal } from "@preact/signals";
import * as store from "../core/store";
import * as layout from "./layout";
import { span } from "./plotting";
import { fittingPlots, readLayouts, type Layout } from "./savedLayouts";

const key = "bristle-layouts";
const most = 30;

export const layouts = signal<Layout[]>(typeof localStorage === "undefined" ? [] : readLayouts(localStorage.getItem(key)));

function keep(list: Layout[]): void {
  layouts.value = list.slice(-most);
  localStorage.setItem(key, JSON.stringify(layouts.value));
}

// One of the same name is replaced.
export function saveLayout(name: string): void {
  const now: Layout = {
    name,
    tree: layout.isTreeOpen.value,
    inspector: layout.isInspectorOpen.value,
    plotsOpen: layout.arePlotsOpen.value,
    views: layout.viewCount.value,
    layers: store.layers.value,
    span: Number.isFinite(span.value) ? span.value : null,
    plots: store.plots.value,
  };
  keep([...layouts.value.filter((each) => each.name !== name), now]);
}
export function removeLayout(name: string): void {
  keep(layouts.value.filter((each) => each.name !== name));
}

export function useLayout(chosen: Layout): void {
  layout.isTreeOpen.value = chosen.tree;
  layout.isInspectorOpen.value = chosen.inspector;
  layout.arePlotsOpen.value = chosen.plotsOpen;
  layout.viewCount.value = chosen.views;
  store.layers.value = { ...store.layers.value, ...chosen.layers };
  span.value = chosen.span ?? Infinity;
  store.plots.value = fittingPlots(chosen.plots, store.scene.value?.quantities ?? []);
}
