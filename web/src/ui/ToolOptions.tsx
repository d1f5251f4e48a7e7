// How what the tool adds shall be: its size, mass and material. Empty fields are as suits the scene.
import { useState } from "preact/hooks";
import * as store from "../core/store";
import { usualUnit } from "../view/actions";
import { isShape, sizeNames, usualSize } from "../view/making";
import { undo } from "./commands";
import { Button } from "./parts";

const shapeNames = { box: "Box", sphere: "Ball", capsule: "Capsule", cylinder: "Cylinder", polygon: "Polygon" } as const;

export function ToolOptions() {
  const tool = store.tool.value;
  const scene = store.scene.value;
  if (!isShape(tool) || !scene || !store.canSteer.value) return null;
  const making = store.making.value;
  const change = (to: Partial<store.Making>) => (store.making.value = { ...making, ...to });
  const usual = usualSize(tool, usualUnit.value);
  const chosen = making.sizes[tool] ?? [];
  const setSize = (i: number, value: number | null) =>
    change({ sizes: { ...making.sizes, [tool]: usual.map((_, k) => (k === i ? (value ?? 0) : (chosen[k] ?? 0))) } });
  const materials = scene.materials ?? [];
  return (
    <form class="tool-options" aria-label={`How the ${shapeNames[tool].toLowerCase()} shall be`} onSubmit={(e) => e.preventDefault()}>
      <h2>{shapeNames[tool]}</h2>
      {sizeNames[tool].map((name, i) => (
        <NumberField key={`${tool} ${name}`} label={name} unit="m" value={chosen[i] || null} usual={String(usual[i])} low={1e-4} high={1000} onChange={(v) => setSize(i, v)} />
      ))}
      {tool === "polygon" && (
        <NumberField label="corners" unit="" value={making.corners} usual="6" low={3} high={64} onChange={(v) => change({ corners: Math.round(v ?? 6) })} />
      )}
      <NumberField label="mass" unit="kg" value={making.mass} usual="auto" low={1e-6} high={1e9} onChange={(v) => change({ mass: v })} />
      {materials.length > 1 && (
        <label>
          <span>material</span>
          <select value={making.material || materials[0]!} onChange={(e) => change({ material: e.currentTarget.value })}>
            {materials.map((name) => (
              <option key={name} value={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <Button label="Undo the last thing that was added or removed" text="Undo" onClick={undo} />
    </form>
  );
}

function NumberField(props: { label: string; unit: string; value: number | null; usual: string; low: number; high: number; onChange: (value: number | null) => void }) {
  const [text, setText] = useState(props.value === null ? "" : String(props.value)); // also what is half written
  const read = (text: string) => {
    const value = Number(text);
    return text.trim() !== "" && value >= props.low && value <= props.high ? value : null;
  };
  return (
    <label>
      <span>{props.label}</span>
      <input
        type="text"
        inputMode="decimal"
        name={props.label}
        value={text}
        placeholder={props.usual}
        onInput={(e) => {
          setText(e.currentTarget.value);
          props.onChange(read(e.currentTarget.value));
        }}
      />
      {props.unit && <small>{props.unit}</small>}
    </label>
  );
}
