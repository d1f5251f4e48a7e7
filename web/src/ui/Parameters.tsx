// The numbers the scene is made with. Another one makes it anew, at the same moment and seen in the same way.
import { useRef } from "preact/hooks";
import type { bristle } from "../core/protocol.js";
import * as store from "../core/store";
import { openAgain, writeBack } from "./commands";
import { focusView } from "./layout";
import { NewestWins } from "./newest";
import { Button } from "./parts";

type Parameter = bristle.wire.IParameter;

// Where a slider goes: around what it was when the panel was opened, so that it does not run away under the hand.
export function rangeAround(value: number): [number, number] {
  if (value === 0) return [-1, 1];
  return value > 0 ? [0, 2 * value] : [2 * value, 0];
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

export function Parameters() {
  const scene = store.scene.value!;
  const { parameters: changed, may_write } = store.report.value;
  const isDisabled = !store.canSteer.value;
  const isChanged = Object.keys(changed).length > 0;
  // All that was changed: one must not undo the other. A scene takes a moment to be made.
  const sender = useRef(new NewestWins<Record<string, string>>((all) => openAgain(all).then(() => pause(60))));
  const set = (name: string, value: string) => {
    store.report.value = { ...store.report.value, parameters: { ...store.report.value.parameters, [name]: value } };
    sender.current.push(store.report.value.parameters);
  };
  return (
    <section class="parameters">
      {scene.parameters.map((parameter) => (
        <Slider key={parameter.name} parameter={parameter} written={changed[parameter.name!]} isDisabled={isDisabled} set={(value) => set(parameter.name!, value)} />
      ))}
      <div class="row">
        <Button label="Back to the values of the file" text="As in the file" isDisabled={isDisabled || !isChanged} onClick={() => void openAgain({})} />
        {may_write && (
          <Button label="Write these values into the file" text="Write to the file" kind="strong" isDisabled={isDisabled || !isChanged} onClick={() => void writeBack(changed)} />
        )}
      </div>
    </section>
  );
}

interface SliderProps {
  parameter: Parameter;
  written: string | undefined;
  isDisabled: boolean;
  set: (value: string) => void;
}

function Slider({ parameter, written, isDisabled, set }: SliderProps) {
  const name = parameter.name!;
  const value = parameter.value ?? 0;
  const range = useRef(rangeAround(value));
  if (value < range.current[0] || value > range.current[1]) range.current = rangeAround(value);
  const [low, high] = range.current;
  return (
    <div class="parameter" data-changed={written !== undefined}>
      <label for={`parameter-${name}`}>{name}</label>
      <span class="number">
        <input
          id={`parameter-${name}`}
          type="text"
          inputMode="decimal"
          value={written ?? String(value)}
          disabled={isDisabled}
          aria-describedby={parameter.about ? `about-${name}` : undefined}
          onChange={(event) => event.currentTarget.value.trim() && set(event.currentTarget.value.trim())}
          // Done with it: keys are the scene's again.
          onKeyUp={(event) => event.key === "Enter" && focusView()}
        />
        <small>{parameter.unit}</small>
      </span>
      <input
        type="range"
        aria-label={`${name}, slider`}
        min={low}
        max={high}
        step={(high - low) / 200}
        value={value}
        disabled={isDisabled}
        onInput={(event) => set(String(Number(Number(event.currentTarget.value).toPrecision(4))))}
      />
      {parameter.about && <p id={`about-${name}`}>{parameter.about}</p>}
    </div>
  );
}
