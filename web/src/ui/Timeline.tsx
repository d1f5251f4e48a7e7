// Time: run, pause, step, how fast, and back to any moment.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { State } from "../core/client";
import { order, stateHandlers } from "../core/session";
import * as store from "../core/store";
import { statistics } from "../view/actions";
import * as commands from "./commands";
import { NewestWins } from "./newest";
import { Button, Dropdown } from "./parts";
import { clamp, marks, presets, shareOfSpeed, shareOfTime, speedAt, speedText, timeAt, timeText } from "./scale";
import { TimingLight } from "./Timing";

export function Timeline() {
  const transport = store.state.value?.transport;
  const isRunning = transport?.is_running ?? false;
  const isDisabled = !store.isOperator.value;
  return (
    <footer class="timeline" data-running={isRunning} data-speed={transport?.speed ?? 1}>
      <div class="transport" data-gives-focus role="group" aria-label="Run">
        <Button icon="restart" label="Restart" keys="Home" isDisabled={isDisabled} onClick={commands.restart} />
        <Button icon="back" label="Back one step" keys="," isDisabled={isDisabled} onClick={() => void commands.stepBack()} />
        <Button
          icon={isRunning ? "pause" : "play"}
          label={isRunning ? "Pause" : "Run"}
          keys=" "
          kind="strong"
          class="run"
          isDisabled={isDisabled}
          onClick={commands.toggleRun}
        />
        <Button icon="step" label="One step" keys="." isDisabled={isDisabled} onClick={commands.step} />
      </div>
      <TimeText />
      <Scrubber isDisabled={isDisabled} />
      <SpeedMenu isDisabled={isDisabled} speed={transport?.speed ?? 1} />
      <TimingLight />
      <FrameRate />
      {transport?.is_repeating && isRunning && (
        <span class="repeating" title="The inputs of the past are given again, until there is a new one">
          Replaying; any input takes over
        </span>
      )}
      <Failure />
    </footer>
  );
}

// Why it could not go on; what led to it can be looked at.
function Failure() {
  const failure = store.breakdown.value;
  if (!failure) return null;
  const isThere = Math.abs((store.state.value?.time ?? failure.at) - failure.at) < 1e-9 * Math.max(1, failure.at);
  const back = Math.max(store.state.value?.transport?.first ?? 0, failure.at - 1);
  return (
    <div class="failure" role="alert" data-at={failure.at}>
      <span>
        <strong>It failed at {timeText(failure.at)}.</strong> {failure.why}
      </span>
      {store.isOperator.value &&
        (isThere ? (
          <Button label="Look at the second before" text="The second before" onClick={() => void commands.seek(back)} />
        ) : (
          <Button label="Go to where it failed" text="To the failure" onClick={() => void commands.seek(failure.at)} />
        ))}
    </div>
  );
}

// Written with every state, past the panels' ten times a second.
function useEveryState(see: (state: State) => void): void {
  const latest = useRef(see);
  latest.current = see;
  useEffect(() => {
    const handler = (state: State) => latest.current(state);
    stateHandlers.add(handler);
    if (store.playout.latest) handler(store.playout.latest);
    return () => void stateHandlers.delete(handler);
  }, []);
}

function TimeText() {
  const element = useRef<HTMLTimeElement>(null);
  useEveryState((state) => {
    element.current!.textContent = timeText(state.time);
    element.current!.dataset["time"] = String(state.time);
    element.current!.dataset["step"] = String(state.step);
  });
  return <time class="now" ref={element} aria-label="Time of the simulation" />;
}

const dragged = signal<number | null>(null); // s, where the hand is
const seeks = new NewestWins<number>((time) => commands.seek(time));

function Scrubber({ isDisabled }: { isDisabled: boolean }) {
  const track = useRef<HTMLDivElement>(null);
  const wasRunning = useRef(false);
  const first = store.state.value?.transport?.first ?? 0;
  const last = Math.max(first, store.state.value?.transport?.last ?? 0);
  const show = (time: number, from: number, to: number) =>
    track.current?.style.setProperty("--share", String(shareOfTime(time, from, to)));
  useEveryState((state) => {
    if (dragged.value === null) show(state.time, state.transport?.first ?? 0, state.transport?.last ?? 0);
  });
  const at = (event: PointerEvent) => {
    const box = track.current!.getBoundingClientRect();
    return timeAt((event.clientX - box.left) / box.width, first, last);
  };
  const drag = (event: PointerEvent) => {
    const time = at(event);
    dragged.value = time;
    show(time, first, last);
    seeks.push(time);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (isDisabled || event.button !== 0) return;
    track.current!.setPointerCapture(event.pointerId);
    wasRunning.current = store.playout.latest?.transport?.is_running ?? false;
    if (wasRunning.current) void order({ pause: {} });
    drag(event);
  };
  const onPointerUp = () => {
    if (dragged.value === null) return;
    dragged.value = null;
    if (wasRunning.current) void order({ run: {} });
  };
  const now = store.state.value?.time ?? 0;
  const onKeyDown = (event: KeyboardEvent) => {
    const small = Math.max(store.scene.value?.step ?? 0, (last - first) / 100);
    const steps: Record<string, number> = {
      ArrowRight: now + small,
      ArrowUp: now + small,
      ArrowLeft: now - small,
      ArrowDown: now - small,
      PageUp: now + 10 * small,
      PageDown: now - 10 * small,
      Home: first,
      End: last,
    };
    const to = steps[event.key];
    if (to === undefined || isDisabled) return;
    event.preventDefault();
    seeks.push(clamp(to, first, last));
  };
  return (
    <div
      class="scrubber"
      role="slider"
      tabIndex={isDisabled ? -1 : 0}
      aria-label="Time"
      aria-disabled={isDisabled}
      aria-valuemin={first}
      aria-valuemax={last}
      aria-valuenow={now}
      aria-valuetext={timeText(now)}
      data-first={first}
      data-last={last}
      data-duration={store.scene.value?.duration ?? 0}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => dragged.value !== null && drag(event)}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onKeyDown={onKeyDown}
    >
      <div class="track" ref={track}>
        <div class="past" />
        <div class="thumb" />
        {store.breakdown.value && <i class="failed-mark" title={`It failed here: ${store.breakdown.value.why}`} />}
        {dragged.value !== null && <output class="bubble">{timeText(dragged.value, 2)}</output>}
      </div>
      <div class="marks" aria-hidden="true">
        {marks(first, last, 8).map((time) => (
          <span key={time} style={{ left: `${100 * shareOfTime(time, first, last)}%` }}>
            {timeText(time, time % 1 && last < 60 ? 1 : 0)}
          </span>
        ))}
      </div>
    </div>
  );
}

const speeds = new NewestWins<number>((value) => order({ speed: { value } }));

function SpeedMenu({ isDisabled, speed }: { isDisabled: boolean; speed: number }) {
  const text = speedText(speed);
  return (
    <Dropdown
      which="speed"
      label="Speed"
      role="dialog"
      class="speeds"
      isUp
      button={{ class: "speed", label: `Speed ${text}`, title: "Speed (+ and −)", isDisabled }}
      face={text}
    >
      <div class="segments" role="group" aria-label="Speeds">
        {presets.map((preset) => (
          <button key={preset} type="button" aria-pressed={speed === preset} onClick={() => speeds.push(preset)}>
            {speedText(preset)}
          </button>
        ))}
      </div>
      <input
        type="range"
        min="0"
        max="1"
        step="0.005"
        value={shareOfSpeed(speed)}
        aria-label="Speed"
        aria-valuetext={speedText(speed)}
        onInput={(event) => speeds.push(speedAt(event.currentTarget.valueAsNumber))}
      />
      <div class="ends" aria-hidden="true">
        <span>0.01×</span>
        <span>1×</span>
        <span>100×</span>
      </div>
    </Dropdown>
  );
}

function FrameRate() {
  const { calls, triangles, scripting, fps } = statistics.value;
  return (
    <output
      class="frame-rate"
      data-calls={calls}
      data-triangles={triangles}
      data-scripting={scripting}
      data-fps={fps}
      title={`${calls} draw calls, ${triangles} triangles, ${scripting.toFixed(1)} ms of script a frame`}
    >
      {Math.round(fps)} fps
    </output>
  );
}
