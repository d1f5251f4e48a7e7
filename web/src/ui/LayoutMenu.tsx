// Layouts: take one, keep how things are now under a name, forget one.
import { useState } from "preact/hooks";
import { Icon } from "./icons";
import * as layout from "./layout";
import { layouts, removeLayout, saveLayout, useLayout } from "./layouts";
import { Dropdown } from "./parts";

export function LayoutMenu() {
  const [name, setName] = useState("");
  const close = () => (layout.menu.value = null);
  const save = (event: Event) => {
    event.preventDefault();
    if (name.trim() === "") return;
    saveLayout(name.trim());
    setName("");
  };
  return (
    <Dropdown
      which="layouts"
      label="Layouts"
      role="dialog"
      class="layouts"
      button={{ class: "square", label: "Layouts", title: "Layouts: panels, views, layers and plots under a name" }}
      face={<Icon name="gallery" />}
    >
      {layouts.value.map((each) => (
        <div class="layout" key={each.name}>
          <button
            type="button"
            class="menu-item"
            onClick={() => {
              useLayout(each);
              close();
            }}
          >
            <span class="label">{each.name}</span>
          </button>
          <button type="button" class="button square" aria-label={`Forget ${each.name}`} title="Forget it" onClick={() => removeLayout(each.name)}>
            <Icon name="trash" />
          </button>
        </div>
      ))}
      {layouts.value.length === 0 && <p class="nothing">None is kept yet.</p>}
      <form onSubmit={save}>
        <input type="text" aria-label="Name of the layout" placeholder="Keep this one as …" maxLength={60} value={name} onInput={(e) => setName(e.currentTarget.value)} />
        <button type="submit" class="button" disabled={name.trim() === ""}>
          Keep
        </button>
      </form>
    </Dropdown>
  );
}
