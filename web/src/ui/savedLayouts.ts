// What a kept layout is, how it is read back, and what of it suits a scene. Pure.
import type { Layers, Plot } from "../core/store";

export interface Layout {
  name: string;
  tree: boolean;
  inspector: boolean;
  plotsOpen: boolean;
  views: 1 | 2 | 4;
  layers: Layers;
  span: number | null; // s; null: all
  plots: Plot[];
}

// What somebody else, or an older page, wrote there is no reason to fail.
export function readLayouts(text: string | null): Layout[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(list)) return [];
    return list.filter(
      (each): each is Layout =>
        typeof each?.name === "string" && [1, 2, 4].includes(each.views) && typeof each.layers === "object" && each.layers !== null &&
        Array.isArray(each.plots) && each.plots.every((p: Plot) => typeof p?.title === "string" && Array.isArray(p.quantities) && p.quantities.every((q) => typeof q === "string")),
    );
  } catch {
    return [];
  }
}

// Curves of what this scene does not have are left out, and plots that have none then.
export function fittingPlots(plots: readonly Plot[], quantities: readonly string[]): Plot[] {
  const has = (name: string) => quantities.some((q) => q === name || q.startsWith(`${name}.`));
  return plots.map((plot) => ({ ...plot, quantities: plot.quantities.filter(has) })).filter((plot) => plot.quantities.length > 0);
}
