// Small pieces that all panels share.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icons";
import { focusView, menu, toggleMenu, type Menu } from "./layout";
import { nameOfKey } from "./shortcuts";

interface ButtonProps {
  icon?: string;
  label: string; // what it does: read aloud, and shown when hovered
  keys?: string; // its shortcut
  text?: ComponentChildren;
  isOn?: boolean;
  isDisabled?: boolean;
  kind?: "plain" | "strong" | "danger";
  class?: string;
  onClick: (event: MouseEvent) => void;
}

export function Button(props: ButtonProps) {
  const { icon, label, keys, text, isOn, isDisabled, kind = "plain", onClick } = props;
  return (
    <button
      type="button"
      class={`button ${kind} ${text === undefined ? "square" : ""} ${props.class ?? ""}`}
      aria-label={typeof text === "string" && !label.startsWith(text) ? `${text}: ${label}` : label}
      title={keys ? `${label} (${nameOfKey(keys)})` : label}
      aria-keyshortcuts={keys === " " ? "Space" : keys}
      aria-pressed={isOn}
      disabled={isDisabled ?? false}
      onClick={(event) => {
        onClick(event);
        // After a click of the mouse, keys belong to the scene again.
        if (event.detail > 0 && event.currentTarget.closest("[data-gives-focus]")) focusView();
      }}
    >
      {icon && <Icon name={icon} />}
      {text !== undefined && <span>{text}</span>}
    </button>
  );
}

// Opens beside its button. Arrow keys move in it; Escape, a click outside and leaving it close it.
export function Popover(props: {
  label: string;
  class?: string;
  role?: "menu" | "dialog";
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { role = "menu" } = props;
  const element = useRef<HTMLDivElement>(null);
  const items = () => [...(element.current?.querySelectorAll<HTMLElement>("button:not(:disabled), input") ?? [])];
  useLayoutEffect(() => {
    const cameFrom = document.activeElement;
    (element.current?.querySelector<HTMLElement>("[aria-checked=true]") ?? items()[0] ?? element.current)?.focus();
    const onPointer = (event: PointerEvent) => {
      const target = event.target as Element;
      if (!element.current?.contains(target) && !target.closest("[aria-haspopup]")) props.onClose();
    };
    document.addEventListener("pointerdown", onPointer, true);
    return () => {
      document.removeEventListener("pointerdown", onPointer, true);
      const isOurs = document.activeElement === document.body || element.current?.contains(document.activeElement);
      if (isOurs && cameFrom instanceof HTMLElement) cameFrom.focus({ preventScroll: true });
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      props.onClose();
    } else if (role === "menu" && /^(ArrowDown|ArrowUp|Home|End)$/.test(event.key)) {
      const all = items();
      const at = all.indexOf(document.activeElement as HTMLElement);
      const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]!;
      all.at(next % all.length)?.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={element}
      class={`popover ${props.class ?? ""}`}
      role={role}
      aria-label={props.label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {props.children}
    </div>
  );
}

// A button, and what it opens beside it.
export function Dropdown(props: {
  which: Menu;
  label: string; // of what opens
  role?: "menu" | "dialog";
  class?: string; // of what opens
  isUp?: boolean;
  button: { class: string; title: string; label?: string; isDisabled?: boolean };
  face: ComponentChildren; // of the button
  children: ComponentChildren;
}) {
  const { which, label, role = "menu", button } = props;
  const isOpen = menu.value === which;
  return (
    <span class={`dropdown ${props.isUp ? "up" : ""}`}>
      <button
        type="button"
        class={`button ${button.class}`}
        aria-haspopup={role}
        aria-expanded={isOpen}
        aria-label={button.label}
        title={button.title}
        disabled={button.isDisabled ?? false}
        onClick={() => toggleMenu(which)}
      >
        {props.face}
      </button>
      {isOpen && (
        <Popover label={label} role={role} class={props.class ?? ""} onClose={() => (menu.value = null)}>
          {props.children}
        </Popover>
      )}
    </span>
  );
}

export function MenuItem(props: {
  label: string;
  icon?: string;
  keys?: string;
  isChecked?: boolean;
  isDisabled?: boolean;
  kind?: "menuitem" | "menuitemcheckbox" | "menuitemradio";
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      class="menu-item"
      role={props.kind ?? "menuitem"}
      aria-checked={props.isChecked}
      disabled={props.isDisabled ?? false}
      onClick={props.onClick}
    >
      {props.icon ? <Icon name={props.icon} /> : <span class="check" aria-hidden="true" />}
      <span class="label">{props.label}</span>
      {props.keys && <kbd>{nameOfKey(props.keys)}</kbd>}
    </button>
  );
}

export function SearchBox(props: { label: string; value: string; onInput: (text: string) => void; onKeyDown?: (e: KeyboardEvent) => void }) {
  return (
    <label class="search">
      <Icon name="search" />
      <input
        type="search"
        placeholder={props.label}
        aria-label={props.label}
        value={props.value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => props.onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          props.onKeyDown?.(event);
          if (event.key === "Escape" && !event.defaultPrevented) {
            event.preventDefault();
            if (props.value) props.onInput("");
            else event.currentTarget.blur();
          }
        }}
      />
    </label>
  );
}
