// The numbers the scene was made with. Other ones make it anew.
import { useState } from "preact/hooks";
import * as store from "../core/store";
import { openScene } from "./commands";
import { Button } from "./parts";

export function Parameters() {
  const scene = store.scene.value!;
  const [written, setWritten] = useState<Record<string, string>>({});
  const isDisabled = !store.canSteer.value;
  const isChanged = scene.parameters.some((p) => (written[p.name!] ?? String(p.value)) !== String(p.value));
  const reopen = () => {
    // All of them: a change of one must not undo an earlier change of another.
    const all = scene.parameters.map((p) => [p.name!, written[p.name!]?.trim() || String(p.value)]);
    setWritten({});
    openScene(scene.name, Object.fromEntries(all) as Record<string, string>);
  };
  return (
    <form
      class="parameters"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) reopen();
      }}
    >
      {scene.parameters.map((parameter) => {
        const name = parameter.name!;
        return (
          <div class="parameter" key={name}>
            <label for={`parameter-${name}`}>{name}</label>
            <span class="number">
              <input
                id={`parameter-${name}`}
                type="text"
                inputMode="decimal"
                value={written[name] ?? String(parameter.value)}
                disabled={isDisabled}
                aria-describedby={parameter.about ? `about-${name}` : undefined}
                onInput={(event) => setWritten({ ...written, [name]: event.currentTarget.value })}
              />
              <small>{parameter.unit}</small>
            </span>
            {parameter.about && <p id={`about-${name}`}>{parameter.about}</p>}
          </div>
        );
      })}
      <Button label="Open the scene again with these" text="Open again with these" kind="strong" isDisabled={isDisabled || !isChanged} onClick={reopen} />
    </form>
  );
}
