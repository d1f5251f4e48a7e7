import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import * as store from "../core/store";
import { Icon } from "./icons";
import { isInspectorOpen, isTreeOpen, tab } from "./layout";
import { Button, SearchBox } from "./parts";
import { groupOf, rowsOf, visibleRange, type Row } from "./tree";

const rowHeight = 24;
const open = signal<ReadonlySet<string>>(new Set(["bodies", "joints", "links", "channels"]));
const query = signal("");

function setOpen(key: string, isOpen: boolean): void {
  const next = new Set(open.value);
  if (isOpen) next.add(key);
  else next.delete(key);
  open.value = next;
}

function choose(row: Row): void {
  if (row.selection) {
    store.selection.value = row.selection;
    tab.value = "inspect";
  } else if (row.icon === "channel") {
    isInspectorOpen.value = true;
    tab.value = "controls";
  }
}

function isRowOf(row: Row, selection: store.Selection | null): boolean {
  return selection !== null && row.key === `${selection.kind} ${selection.index}`;
}

export function TreePanel() {
  const scene = store.scene.value!;
  const { channels } = store.controls.value;
  const rows = useMemo(
    () => rowsOf(scene, channels, query.value, open.value),
    [scene, channels, query.value, open.value],
  );
  const list = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, height: 600 });
  const [cursor, setCursor] = useState(0);
  const selection = store.selection.value;

  useEffect(() => {
    const element = list.current!;
    const see = () => setScroll({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(see);
    observer.observe(element);
    element.addEventListener("scroll", see, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", see);
    };
  }, []);

  const reveal = (index: number) => {
    const element = list.current!;
    const top = index * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + rowHeight - element.clientHeight;
    }
  };
  // What was picked in the view is shown here too.
  useLayoutEffect(() => {
    if (!selection) return;
    setOpen(groupOf(selection), true);
    const index = rows.findIndex((row) => isRowOf(row, selection));
    if (index < 0) return;
    setCursor(index);
    reveal(index);
  }, [selection]);

  const go = (index: number) => {
    const next = Math.min(rows.length - 1, Math.max(0, index));
    setCursor(next);
    reveal(next);
    const row = rows[next];
    if (row?.selection) choose(row);
  };
  const parentOf = (index: number) => {
    let at = index - 1;
    while (at > 0 && rows[at]!.depth >= rows[index]!.depth) --at;
    return at;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[cursor];
    const page = Math.max(1, Math.floor(scroll.height / rowHeight) - 1);
    switch (event.key) {
      case "ArrowDown": go(cursor + 1); break;
      case "ArrowUp": go(cursor - 1); break;
      case "PageDown": go(cursor + page); break;
      case "PageUp": go(cursor - page); break;
      case "Home": go(0); break;
      case "End": go(rows.length - 1); break;
      case "ArrowRight":
        if (row?.isOpen === false) setOpen(row.key, true);
        else if (row?.isOpen) go(cursor + 1);
        break;
      case "ArrowLeft":
        if (row?.isOpen) setOpen(row.key, false);
        else if (row) go(parentOf(cursor));
        break;
      case "Enter":
        if (row?.isOpen !== undefined && !row.selection) setOpen(row.key, !row.isOpen);
        else if (row) choose(row);
        break;
      default: return;
    }
    event.preventDefault();
  };

  const [first, last] = visibleRange(scroll.top, scroll.height, rowHeight, rows.length);
  const current = Math.min(cursor, rows.length - 1);
  return (
    <aside class="panel tree" aria-label="Scene tree">
      <div class="panel-head">
        <SearchBox label="Filter" value={query.value} onInput={(text) => (query.value = text)} />
        <Button icon="close" label="Close the tree" keys="n" onClick={() => (isTreeOpen.value = false)} />
      </div>
      <div
        ref={list}
        class="tree-rows"
        role="tree"
        aria-label="Bodies, joints, springs and channels"
        tabIndex={0}
        aria-activedescendant={rows[current] ? `row-${current}` : undefined}
        onKeyDown={onKeyDown}
        onPointerLeave={() => (store.hovered.value = null)}
      >
        <div class="tree-all" style={{ height: `${rows.length * rowHeight}px` }} role="presentation">
          {rows.slice(first, last).map((row, i) => (
            <TreeRow
              key={row.key}
              row={row}
              index={first + i}
              isCurrent={first + i === current}
              isSelected={isRowOf(row, selection)}
              onChoose={() => {
                setCursor(first + i);
                if (row.isOpen !== undefined && !row.selection) setOpen(row.key, !row.isOpen);
                else choose(row);
              }}
            />
          ))}
        </div>
        {rows.length === 0 && <p class="nothing">Nothing is called like that.</p>}
      </div>
    </aside>
  );
}

function TreeRow(props: { row: Row; index: number; isCurrent: boolean; isSelected: boolean; onChoose: () => void }) {
  const { row, index } = props;
  return (
    <div
      id={`row-${index}`}
      class={`tree-row depth-${row.depth} ${props.isCurrent ? "current" : ""}`}
      role="treeitem"
      aria-level={row.depth}
      aria-expanded={row.isOpen}
      aria-selected={props.isSelected}
      style={{ transform: `translateY(${index * rowHeight}px)` }}
      onClick={props.onChoose}
      onPointerEnter={() => (store.hovered.value = row.selection ?? null)}
    >
      <span
        class="fold"
        onClick={(event) => {
          if (row.isOpen === undefined) return;
          event.stopPropagation();
          setOpen(row.key, !row.isOpen);
        }}
      >
        {row.isOpen !== undefined && <Icon name={row.isOpen ? "down" : "right"} />}
      </span>
      <Icon name={row.icon} />
      <span class="label">{row.label}</span>
      {row.note && <span class="note">{row.note}</span>}
    </div>
  );
}
