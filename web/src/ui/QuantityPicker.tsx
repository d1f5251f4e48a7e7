import { useMemo, useState } from "preact/hooks";
import * as store from "../core/store";
import { search } from "./fuzzy";
import { Popover, SearchBox } from "./parts";
import { singleNumbers, unitOf } from "./quantities";

const most = 80; // rows; what lies further down is found by typing

export function QuantityPicker(props: { unit?: string; onPick: (quantity: string) => void; onClose: () => void }) {
  const scene = store.scene.value!;
  const [query, setQuery] = useState("");
  const [cursor, setCursor] = useState(0);
  const all = useMemo(() => {
    const single = singleNumbers(scene.quantities);
    return props.unit === undefined ? single : single.filter((q) => unitOf(q, scene) === props.unit);
  }, [scene, props.unit]);
  const found = useMemo(() => search(query, all, most), [query, all]);
  const pick = (quantity: string | undefined) => {
    if (!quantity) return;
    props.onPick(quantity);
    props.onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setCursor(Math.min(found.length - 1, cursor + 1));
    else if (event.key === "ArrowUp") setCursor(Math.max(0, cursor - 1));
    else if (event.key === "Enter") pick(found[cursor]);
    else return;
    event.preventDefault();
    setTimeout(() => document.getElementById("picked")?.scrollIntoView({ block: "nearest" }));
  };
  return (
    <Popover label="Choose a quantity" role="dialog" class="picker" onClose={props.onClose}>
      <SearchBox
        label={`Search ${all.length} quantities`}
        value={query}
        onInput={(text) => {
          setQuery(text);
          setCursor(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul role="listbox" aria-label="Quantities">
        {found.map((quantity, i) => (
          <li
            key={quantity}
            id={i === cursor ? "picked" : undefined}
            role="option"
            aria-selected={i === cursor}
            onPointerEnter={() => setCursor(i)}
            onClick={() => pick(quantity)}
          >
            <span>{quantity}</span>
            <small>{unitOf(quantity, scene)}</small>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="nothing">No quantity is called like that.</p>}
    </Popover>
  );
}
