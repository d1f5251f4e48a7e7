import { expect, it } from "vitest";
import { fittingPlots, readLayouts } from "./savedLayouts";

it("reads what it wrote, and nothing that is none", () => {
  const good = { name: "mine", tree: true, inspector: false, plotsOpen: true, views: 2, layers: { names: true }, span: 10, plots: [{ title: "a", quantities: ["b"] }] };
  expect(readLayouts(JSON.stringify([good]))).toEqual([good]);
  for (const bad of [null, "", "{", "7", "[1]", '[{"name": 3}]', JSON.stringify([{ ...good, views: 3 }]), JSON.stringify([{ ...good, plots: [{}] }]), JSON.stringify([{ ...good, layers: null }])])
    expect(readLayouts(bad)).toEqual([]);
});

it("leaves out curves that a scene does not have, and plots that are empty then", () => {
  const plots = [{ title: "one", quantities: ["crank.position", "gone.angle"] }, { title: "two", quantities: ["gone.angle"] }];
  expect(fittingPlots(plots, ["crank.position.x", "energy.total"])).toEqual([{ title: "one", quantities: ["crank.position"] }]);
});
