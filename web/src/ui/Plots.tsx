// The plots below the view: curves of any quantity, following the newest or standing still.
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import * as store from "../core/store";
import type { Chart } from "./chart";
import { download } from "./commands";
import { Icon } from "./icons";
import { arePlotsOpen } from "./layout";
import { LayoutMenu } from "./LayoutMenu";
import { Button } from "./parts";
import { addCurve, components, removeCurve, removePlot, samples, shownRange, span, zoom } from "./plotting";
import { noiseOf, unitOf, withoutNoise } from "./quantities";
import { QuantityPicker } from "./QuantityPicker";
import { csv } from "./samples";
import { numberText } from "./scale";

const picking = signal<number | "new" | null>(null); // the plot that gets what is picked
const redrawEvery = 80; // ms

export function Plots() {
  const plots = store.plots.value;
  return (
    <section class="plots" aria-label="Plots">
      <div class="plots-bar">
        <span class="dropdown">
          <button type="button" class="button add" aria-haspopup="dialog" aria-expanded={picking.value === "new"} onClick={() => (picking.value = picking.value === "new" ? null : "new")}>
            <Icon name="plus" />
            <span>Plot</span>
          </button>
          {picking.value === "new" && <QuantityPicker onPick={(q) => addCurve([q])} onClose={() => (picking.value = null)} />}
        </span>
        <div class="segments" role="group" aria-label="Time that is shown">
          {([[10, "10 s"], [30, "30 s"], [Infinity, "All"]] as const).map(([value, text]) => (
            <button
              key={text}
              type="button"
              aria-pressed={span.value === value && !zoom.value}
              onClick={() => {
                span.value = value;
                zoom.value = null;
              }}
            >
              {text}
            </button>
          ))}
        </div>
        <Button
          icon={zoom.value ? "play" : "pause"}
          label={zoom.value ? "Follow the newest" : "Hold the plots still"}
          isOn={zoom.value !== null}
          onClick={() => (zoom.value = zoom.value ? null : shownRange())}
        />
        <span class="space" />
        <LayoutMenu />
        <Button icon="close" label="Close the plots" keys="p" onClick={() => (arePlotsOpen.value = false)} />
      </div>
      <div class="plot-cards">
        {plots.map((plot, index) => (
          <PlotCard key={`${plot.title} ${index}`} plot={plot} index={index} />
        ))}
        {plots.length === 0 && (
          <p class="nothing">Nothing is plotted. Choose “Plot”, or the curve beside a value of the inspector.</p>
        )}
      </div>
    </section>
  );
}

function exportCsv(plot: store.Plot, names: string[]): void {
  const text = csv(names, samples.window(names, ...shownRange()));
  download(new Blob([text], { type: "text/csv" }), `${store.scene.value?.name} ${plot.title || names[0]}.csv`);
}

function PlotCard({ plot, index }: { plot: store.Plot; index: number }) {
  const scene = store.scene.value!;
  const host = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const names = plot.quantities.flatMap((q) => components(q, scene.quantities));
  const unit = unitOf(names[0] ?? "", scene);
  const [hasFailed, setFailed] = useState(false);
  const theme = store.theme.value;

  useEffect(() => {
    let chart: Chart | null = null;
    let isGone = false;
    let isPointed = false;
    const write = (values: (number | null | undefined)[]) =>
      legend.current?.querySelectorAll<HTMLElement>(".value").forEach((element, i) => {
        element.textContent = numberText(withoutNoise(values[i] ?? undefined, unit, scene));
      });
    import("./chart").then(({ makeChart }) => {
      if (isGone || !host.current) return;
      chart = makeChart(host.current, {
        names,
        unit,
        noise: noiseOf(unit, scene),
        onZoom: (range) => (zoom.value = range),
        onValues: (values) => {
          isPointed = values.length > 0;
          if (isPointed) write(values);
        },
      });
    }, () => setFailed(true));
    let drawn = 0;
    let request = 0;
    let shown = "";
    const draw = (now: number) => {
      request = requestAnimationFrame(draw);
      if (!chart || now - drawn < redrawEvery) return;
      drawn = now;
      const range = shownRange();
      const version = `${range} ${samples.count} ${samples.last}`;
      if (version === shown) return;
      shown = version;
      const data = samples.window(names, ...range);
      chart.setData(data, range);
      host.current!.dataset["points"] = String(data[1]?.filter((v) => v !== null).length ?? 0);
      if (!isPointed) write(data.slice(1).map((column) => column[column.length - 1]));
    };
    request = requestAnimationFrame(draw);
    return () => {
      isGone = true;
      cancelAnimationFrame(request);
      chart?.destroy();
    };
  }, [names.join("\n"), theme]);

  return (
    <article class="plot" aria-label={`Plot of ${names.join(", ")}`}>
      <header>
        <h3 title={plot.title}>{plot.title || names[0]}</h3>
        {unit && <small>{unit}</small>}
        <span class="space" />
        <span class="dropdown">
          <button type="button" class="button square" aria-haspopup="dialog" aria-expanded={picking.value === index} aria-label="Add a curve" title="Add a curve" onClick={() => (picking.value = picking.value === index ? null : index)}>
            <Icon name="plus" />
          </button>
          {picking.value === index && (
            <QuantityPicker unit={unit} onPick={(q) => addCurve([q], index)} onClose={() => (picking.value = null)} />
          )}
        </span>
        <Button icon="download" label="Save what is shown as CSV" onClick={() => exportCsv(plot, names)} />
        <Button icon="close" label="Remove this plot" onClick={() => removePlot(plot)} />
      </header>
      <div class="chart" ref={host}>
        {hasFailed && <p class="nothing">The plots could not be loaded.</p>}
      </div>
      <ul class="legend" ref={legend}>
        {names.map((name, i) => (
          <li key={name}>
            <i class={`swatch curve-${(i % 6) + 1}`} />
            <span class="label">{shortName(name, plot.title)}</span>
            <span class="value" data-quantity={name}>–</span>
            {plot.quantities.includes(name) && names.length > 1 && (
              <button type="button" aria-label={`Remove ${name}`} title="Remove this curve" onClick={() => removeCurve(plot, name)}>
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
    </article>
  );
}

// What the title says already need not be said again.
function shortName(name: string, title: string): string {
  return name.startsWith(title + ".") ? name.slice(title.length + 1) : name;
}
