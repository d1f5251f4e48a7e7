// Live values of the selection; of the whole scene if nothing is selected.
import { useEffect, useMemo } from "preact/hooks";
import type { Scene } from "../core/client";
import { valueOf, watch } from "../core/session";
import * as store from "../core/store";
import * as commands from "./commands";
import { Icon } from "./icons";
import { Button } from "./parts";
import { addCurve } from "./plotting";
import { unitOf, withoutNoise } from "./quantities";
import { numberText } from "./scale";

// A line of the table: one number or the components of a vector.
interface Line {
  label: string;
  quantities: string[];
}
interface Subject {
  title: string;
  kind: string;
  lines: Line[];
  areSure?: boolean; // every such thing has these
  ends?: [number, number];
  body?: number;
  mass?: number;
  isRemovable: boolean;
}

const xyz = (name: string) => [`${name}.x`, `${name}.y`, `${name}.z`];

function subjectOf(scene: Scene, selection: store.Selection | null): Subject {
  if (selection?.kind === "body") {
    const body = scene.bodies[selection.index];
    const isGround = selection.index === 0;
    const name = body?.name ?? "";
    const subject: Subject = {
      title: name || (isGround ? "ground" : `body ${selection.index}`),
      kind: isGround ? "Ground" : "Body",
      lines: [
        { label: "Position", quantities: xyz(`${name}.position`) },
        { label: "Velocity", quantities: xyz(`${name}.velocity`) },
        { label: "Speed", quantities: [`${name}.velocity.norm`] },
        { label: "Angular velocity", quantities: xyz(`${name}.angular_velocity`) },
      ],
      areSure: name !== "",
      isRemovable: !isGround,
    };
    if (isGround) return { ...subject, lines: [] };
    return { ...subject, body: selection.index, mass: body?.mass ?? 0 };
  }
  if (selection?.kind === "joint") {
    const joint = scene.joints[selection.index];
    const name = joint?.name ?? "";
    return {
      title: name || `joint ${selection.index}`,
      kind: `${joint?.type ?? ""} joint`.trim(),
      lines: [
        { label: "Coordinate", quantities: [`${name}.coordinate`] },
        { label: "Rate", quantities: [`${name}.rate`] },
        { label: "Angle", quantities: [`${name}.angle`] },
        { label: "Reaction force", quantities: [`${name}.reaction.force.norm`] },
        { label: "Reaction moment", quantities: [`${name}.reaction.moment.norm`] },
      ],
      ends: [joint?.a ?? 0, joint?.b ?? 0],
      isRemovable: true,
    };
  }
  if (selection?.kind === "link") {
    const link = scene.links[selection.index];
    return {
      title: link?.name || `spring ${selection.index}`,
      kind: "Spring",
      lines: [{ label: "Tension", quantities: [`${link?.name ?? ""}.tension`] }],
      ends: [link?.a ?? 0, link?.b ?? 0],
      isRemovable: true,
    };
  }
  return {
    title: scene.title || scene.name,
    kind: "Scene",
    lines: [
      { label: "Kinetic energy", quantities: ["energy.kinetic"] },
      { label: "Potential energy", quantities: ["energy.potential"] },
      { label: "Total energy", quantities: ["energy.total"] },
      { label: "Contacts", quantities: ["contact.count"] },
      { label: "Iterations a step", quantities: ["solver.iterations"] },
    ],
    areSure: true,
    isRemovable: false,
  };
}

export function Inspector() {
  const scene = store.scene.value!;
  const selection = store.selection.value;
  const subject = useMemo(() => {
    const known = new Set(scene.quantities);
    const all = subjectOf(scene, selection);
    // Of a large scene the list of names ends before all are told.
    return { ...all, lines: all.lines.filter((line) => all.areSure || line.quantities.every((q) => known.has(q))) };
  }, [scene, selection]);
  useEffect(() => {
    watch("inspector", subject.lines.flatMap((line) => line.quantities));
    return () => watch("inspector", []);
  }, [subject]);
  const { body } = subject;
  const camera = store.camera.value;
  const tension = selection?.kind === "link" ? store.state.value?.tensions[selection.index] : undefined;
  return (
    <section class="inspector" data-subject={subject.title}>
      <h2>{subject.title}</h2>
      <p class="kind">
        {subject.kind}
        {subject.mass !== undefined && <> · {numberText(subject.mass)} kg</>}
        {!selection && (
          <>
            {" "}
            · {counted(scene.bodies.filter((b) => !b.is_gone).length - 1, "body", "bodies")} · step {Number((1000 * scene.step).toPrecision(4))} ms
          </>
        )}
      </p>
      {subject.ends && <Ends ends={subject.ends} />}
      <table class="values">
        <tbody>
          {subject.lines.map((line) => (
            <ValueLine key={line.label} line={line} scene={scene} />
          ))}
          {subject.lines.length === 0 && tension !== undefined && (
            <tr>
              <th scope="row">Tension</th>
              <td colSpan={3}>{numberText(tension)} N</td>
            </tr>
          )}
        </tbody>
      </table>
      <div class="actions">
        {body !== undefined && (
          <>
            <Button icon="target" label="Track: keep looking at it" text="Track" keys="q" isOn={camera.kind === "track" && camera.body === body} onClick={() => commands.track(body)} />
            <Button icon="pin" label="Attach: move and turn with it" text="Attach" keys="a" isOn={camera.kind === "attached" && camera.body === body} onClick={() => commands.attach(body)} />
          </>
        )}
        {subject.isRemovable && (
          <Button icon="trash" label="Remove it from the scene" text="Remove" keys="Delete" kind="danger" isDisabled={!store.canSteer.value} onClick={() => void commands.removeSelection()} />
        )}
      </div>
      {!selection && <p class="hint">Click a body, or choose one in the tree, to see how it moves.</p>}
    </section>
  );
}

function Ends({ ends }: { ends: [number, number] }) {
  return (
    <p class="ends">
      {ends.map((index, i) => (
        <>
          {i > 0 && " – "}
          <button type="button" class="plain-link" onClick={() => (store.selection.value = { kind: "body", index })}>
            {store.scene.value!.bodies[index]?.name || (index === 0 ? "ground" : `body ${index}`)}
          </button>
        </>
      ))}
    </p>
  );
}

// Counts are whole, and rounding errors are nothing.
function text(value: number | undefined, unit: string, scene: Scene): string {
  if (unit === "" && Number.isInteger(value)) return String(value);
  return numberText(withoutNoise(value, unit, scene));
}

function ValueLine({ line, scene }: { line: Line; scene: Scene }) {
  const state = store.state.value;
  const unit = unitOf(line.quantities[0]!, scene);
  return (
    <tr>
      <th scope="row">
        {line.label}
        {unit && <small> {unit}</small>}
      </th>
      {line.quantities.map((quantity) => (
        <td key={quantity} colSpan={line.quantities.length === 1 ? 3 : 1} data-quantity={quantity} data-value={state ? valueOf(state, quantity) : undefined}>
          {text(state ? valueOf(state, quantity) : undefined, unit, scene)}
        </td>
      ))}
      <td class="plot-it">
        <button type="button" class="button square" aria-label={`Plot ${line.label.toLowerCase()}`} title="Plot this" onClick={() => addCurve(line.quantities)}>
          <Icon name="chart" />
        </button>
      </td>
    </tr>
  );
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
