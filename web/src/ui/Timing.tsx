// How well real time is kept: a light, and the figures behind it.
import { computed, signal } from "@preact/signals";
import type { Figures } from "../core/messages";
import * as store from "../core/store";
import { statistics } from "../view/actions";
import { chooseQuality, qualities, qualityNow } from "../view/quality";
import { Dropdown } from "./parts";
import { durationText } from "./scale";

// Overruns of the last seconds are news, older ones are history.
const recent = signal({ at: -Infinity, overruns: 0 });
store.state.subscribe((state) => {
  const overruns = Number(state?.transport?.overruns ?? 0);
  if (overruns !== recent.peek().overruns) recent.value = { at: overruns ? performance.now() : -Infinity, overruns };
});

const verdict = computed((): { level: "good" | "tight" | "late"; text: string } => {
  const transport = store.state.value?.transport;
  if (!transport?.is_running) return { level: "good", text: "Standing still" };
  const busy = `${Math.round(100 * (transport.busy ?? 0))} % busy`;
  if ((transport.lag ?? 0) > 0.05) return { level: "late", text: `${durationText(transport.lag!)} behind, ${busy}` };
  if ((transport.busy ?? 0) > 0.9 || performance.now() - recent.value.at < 2000) return { level: "tight", text: busy };
  return { level: "good", text: `In time, ${busy}` };
});

const rows: ["compute" | "wake_up" | "lag" | "overrun", string, string][] = [
  ["compute", "Computing", "of a step"],
  ["wake_up", "Waking up", "late for a tick"],
  ["lag", "Lag", "behind at the end of a tick"],
  ["overrun", "Overrun", "of ticks that were too long"],
];

export function TimingLight() {
  const { level, text } = verdict.value;
  return (
    <Dropdown
      which="timing"
      label="Timing"
      role="dialog"
      class="timing-panel"
      isUp
      button={{ class: `timing ${level}`, title: `Timing: ${text}` }}
      face={
        <>
          <i class="light" aria-hidden="true" />
          {Math.round(100 * (store.state.value?.transport?.busy ?? 0))} %
        </>
      }
    >
      <h3>{text}</h3>
      <TimingTable />
      <Picture />
    </Dropdown>
  );
}

function TimingTable() {
  const timing = store.timing.value;
  if (!timing) return <p class="nothing">No figures yet.</p>;
  return (
    <>
      <table>
        <thead>
          <tr>
            <th />
            <th scope="col">half</th>
            <th scope="col">99 %</th>
            <th scope="col">most</th>
            <th scope="col" class="bar-head">1 µs … 1 s</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, label, about]) => {
            const figures = timing[key];
            return (
              <tr key={key} title={`${label} ${about}`}>
                <th scope="row">{label}</th>
                <td>{durationText(figures.p50)}</td>
                <td>{durationText(figures.p99)}</td>
                <td>{durationText(figures.max)}</td>
                <td>
                  <Bar {...figures} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="counts">
        {timing.steps.toLocaleString("en")} steps in {timing.ticks.toLocaleString("en")} ticks, {timing.overruns.toLocaleString("en")} overruns
        {timing.slips > 0 && `, ${timing.slips} slips by ${durationText(timing.slipped)} together`}
      </p>
      {timing.impact_steps + timing.rough_steps > 0 && (
        <p class="counts">
          {timing.impact_steps.toLocaleString("en")} steps with impacts, {timing.rough_steps.toLocaleString("en")} rough
          {timing.held_steps > 0 && `, ${timing.held_steps.toLocaleString("en")} of them held back`}
          {timing.last_rough && <span class="last-rough">the last rough one {timing.last_rough}</span>}
        </p>
      )}
    </>
  );
}

// What a drawn frame costs the page, and how much it may.
function Picture() {
  const { calls, triangles, scripting, fps } = statistics.value;
  const level = qualityNow();
  return (
    <section class="picture-cost">
      <h3>The picture</h3>
      <p class="counts">
        {scripting.toFixed(2)} ms of script a frame, {Math.round(fps)} frames a second; {triangles.toLocaleString("en")} triangles in {calls} draw calls
      </p>
      <label>
        <span>Quality</span>
        <input
          type="range"
          min="0"
          max={qualities.length - 1}
          step="1"
          value={level}
          aria-label="Quality of the picture"
          aria-valuetext={qualities[level]!.name}
          onInput={(event) => chooseQuality(event.currentTarget.valueAsNumber)}
        />
        <output>{qualities[level]!.name}</output>
      </label>
    </section>
  );
}

// From the half to the 99th percentile as a bar, the largest as a tick, over six decades.
function Bar({ p50, p99, max, count }: Figures) {
  const at = (seconds: number) => Math.min(100, Math.max(0, (100 * (Math.log10(Math.max(seconds, 1e-6)) + 6)) / 6));
  if (!count) return null;
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="ground" x="0" y="3.5" width="100" height="1" />
      <rect class="span" x={at(p50)} y="1.5" width={Math.max(1.5, at(p99) - at(p50))} height="5" />
      <rect class="most" x={at(max) - 0.6} y="0" width="1.2" height="8" />
    </svg>
  );
}
