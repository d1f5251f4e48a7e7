// The right-hand panel: what is selected, what can be steered, what the scene was made with.
import * as store from "../core/store";
import { Controls } from "./Controls";
import { Inspector } from "./Inspector";
import { isInspectorOpen, tab, type Tab } from "./layout";
import { Parameters } from "./Parameters";
import { Button } from "./parts";

const names: Record<Tab, string> = { inspect: "Inspect", controls: "Controls", parameters: "Parameters" };

export function SidePanel() {
  const scene = store.scene.value!;
  const tabs: Tab[] = ["inspect"];
  if (store.controls.value.channels.length) tabs.push("controls");
  if (scene.parameters.length) tabs.push("parameters");
  const current = tabs.includes(tab.value) ? tab.value : "inspect";
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    tab.value = tabs.at((tabs.indexOf(current) + direction) % tabs.length)!;
    const list = event.currentTarget as HTMLElement;
    queueMicrotask(() => list.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  };
  return (
    <aside class="panel side" aria-label="Inspector and controls">
      <div class="panel-head">
        <div class="tabs" role="tablist" onKeyDown={onKeyDown}>
          {tabs.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-selected={name === current}
              aria-controls="tab-content"
              tabIndex={name === current ? 0 : -1}
              onClick={() => (tab.value = name)}
            >
              {names[name]}
            </button>
          ))}
        </div>
        <Button icon="close" label="Close the panel" keys="i" onClick={() => (isInspectorOpen.value = false)} />
      </div>
      <div class="panel-body" role="tabpanel" id="tab-content" aria-labelledby={`tab-${current}`}>
        {current === "inspect" && <Inspector />}
        {current === "controls" && <Controls />}
        {current === "parameters" && <Parameters key={scene.name} />}
      </div>
    </aside>
  );
}
