// The scene as rows: groups, what is in them, and the shapes of bodies.
import type { Scene } from "../core/client";
import type { Selection } from "../core/store";
import { score } from "./fuzzy";

export interface Row {
  key: string;
  depth: number;
  label: string;
  note: string;
  icon: string;
  isOpen?: boolean; // has rows below it
  selection?: Selection;
}

const partKinds = ["sphere", "box", "capsule", "cylinder", "plane", "torus", "surface"];

// `open` holds the keys of what is unfolded. Whatever matches a query is shown unfolded.
export function rowsOf(
  scene: Scene,
  channels: readonly { name: string; unit: string }[],
  query: string,
  open: ReadonlySet<string>,
): Row[] {
  const partsOf = new Map<number, number[]>();
  scene.parts.forEach((part, i) => {
    const list = partsOf.get(part.body ?? 0);
    if (list) list.push(i);
    else partsOf.set(part.body ?? 0, [i]);
  });
  const matches = (text: string) => query.trim() === "" || score(query, text) !== null;
  const rows: Row[] = [];

  const group = (key: string, label: string, icon: string, children: Row[], count: number) => {
    if (count === 0) return;
    const isOpen = query.trim() !== "" || open.has(key);
    rows.push({ key, depth: 1, label, note: String(count), icon, isOpen });
    if (isOpen) rows.push(...children);
  };

  const bodies: Row[] = [];
  let count = 0;
  scene.bodies.forEach((body, index) => {
    const label = body.name || (index === 0 ? "ground" : `body ${index}`);
    if (body.is_gone || !matches(label)) return;
    count++;
    const key = `body ${index}`;
    const parts = (partsOf.get(index) ?? []).filter((i) => !scene.parts[i]!.is_sketch);
    const row: Row = { key, depth: 2, label, note: "", icon: "body", selection: { kind: "body", index } };
    if (parts.length) row.isOpen = open.has(key);
    bodies.push(row);
    if (!row.isOpen) return;
    for (const i of parts) {
      const part = scene.parts[i]!;
      const kind = partKinds[part.kind ?? 0]!;
      bodies.push({ key: `part ${i}`, depth: 3, label: part.name || kind, note: part.name ? kind : "", icon: "shape", selection: { kind: "body", index } });
    }
  });
  group("bodies", "Bodies", "body", bodies, count);

  const simple = (kind: "joint" | "link", list: readonly { name?: string | null; is_gone?: boolean | null; type?: string | null }[]) =>
    list.flatMap((thing, index): Row[] => {
      const label = thing.name || `${kind === "link" ? "spring" : kind} ${index}`;
      if (thing.is_gone || !matches(`${label} ${thing.type ?? ""}`)) return [];
      return [{ key: `${kind} ${index}`, depth: 2, label, note: thing.type ?? "", icon: kind, selection: { kind, index } }];
    });
  const joints = simple("joint", scene.joints);
  group("joints", "Joints", "joint", joints, joints.length);
  const links = simple("link", scene.links);
  group("links", "Springs", "link", links, links.length);
  const steered = channels
    .filter(({ name }) => matches(name))
    .map(({ name, unit }): Row => ({ key: `channel ${name}`, depth: 2, label: name, note: unit, icon: "channel" }));
  group("channels", "Channels", "sliders", steered, steered.length);
  return rows;
}

// The group a thing is in.
export function groupOf(selection: Selection): string {
  return { body: "bodies", joint: "joints", link: "links" }[selection.kind];
}

// The rows that can be seen, and a few around them.
export function visibleRange(scrollTop: number, height: number, rowHeight: number, count: number): [number, number] {
  const margin = 8;
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - margin);
  const last = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + margin);
  return [Math.min(first, last), last];
}
