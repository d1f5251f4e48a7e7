// What to try first with this scene, and the keys that steer it, over the view until somebody has read it.
import { signal } from "@preact/signals";
import * as store from "../core/store";
import { taskFor } from "./groups";
import { isDriving, isTouched } from "./layout";
import { Button } from "./parts";

const key = "bristle-tried";
const tried = signal<string[]>(JSON.parse(sessionStorage.getItem(key) ?? "[]") as string[]);

export function Try() {
  const id = store.sceneId.value;
  const task = taskFor(id, store.controls.value.keyboard.length > 0, isTouched);
  if (!store.canSteer.value || store.report.value.mistakes.length > 0) return null;
  if (isDriving.value) return <DrivingKeys />;
  if (tried.value.includes(id)) return null;
  const dismiss = () => {
    tried.value = [...tried.value, id];
    sessionStorage.setItem(key, JSON.stringify(tried.value));
  };
  return (
    <section class="try" aria-label="Try this">
      <p>
        <strong>Try:</strong> {withKeys(task)}
      </p>
      <Button icon="close" label="Dismiss the hint" onClick={dismiss} />
    </section>
  );
}

function DrivingKeys() {
  const { keyboard } = store.controls.value;
  if (keyboard.length === 0) return null;
  return (
    <section class="try" aria-label="Keys of the scene">
      <p>
        {keyboard.map((name) => (
          <kbd key={name}>{name.replace(/^key /, "").toUpperCase()}</kbd>
        ))}{" "}
        drive; <kbd>Esc</kbd> ends it
      </p>
    </section>
  );
}

// [D] is a key.
function withKeys(text: string) {
  return text.split(/(\[[^\]]+\])/).map((piece, i) => (/^\[.+\]$/.test(piece) ? <kbd key={i}>{piece.slice(1, -1)}</kbd> : piece));
}
