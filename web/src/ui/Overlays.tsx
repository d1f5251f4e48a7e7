// What lies above everything: notices, the state of the connection, the help.
import { useEffect, useRef } from "preact/hooks";
import * as store from "../core/store";
import { Icon } from "./icons";
import { Button } from "./parts";
import { nameOfKey, shortcuts } from "./shortcuts";

export function Notices() {
  const dismiss = (id: number) => (store.notices.value = store.notices.value.filter((n) => n.id !== id));
  return (
    <div class="notices" role="status" aria-live="polite" aria-label="Notices">
      {store.notices.value.map((notice) => (
        <div key={notice.id} class={`notice ${notice.kind}`} role={notice.kind === "error" ? "alert" : undefined}>
          <span>{notice.text}</span>
          <button type="button" class="button square" aria-label="Dismiss" onClick={() => dismiss(notice.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}

export function LostBanner() {
  if (store.link.value === "open" && store.isSilent.value)
    return (
      <div class="banner silent" role="alert">
        <span class="spinner" aria-hidden="true" />
        The server does not answer. What you see stands still until it does.
      </div>
    );
  if (store.link.value !== "lost") return null;
  return (
    <div class="banner" role="alert">
      <span class="spinner" aria-hidden="true" />
      The connection was lost{store.trouble.value ? ` (${store.trouble.value})` : ""}. Trying again …
    </div>
  );
}

export function Refused() {
  return (
    <main class="refused">
      <h1>This page may not look in yet</h1>
      <p class="why">{store.trouble.value}</p>
      <p>
        <code>bristle view</code> prints an address when it starts, with a token behind the <code>#</code>:
      </p>
      <pre>{`${location.origin}/#token=…`}</pre>
      <p>
        Open that address in full. There are two: the operator’s steers, the viewers’ only watches. Tokens change
        whenever the server is started, so an old tab or bookmark is refused.
      </p>
      <Button label="Try again" text="Try again" kind="strong" onClick={() => location.reload()} />
    </main>
  );
}

export function Connecting() {
  return (
    <main class="connecting" aria-busy="true">
      <span class="spinner" aria-hidden="true" />
      Connecting …
    </main>
  );
}

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = store.isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const groups = [...new Set(shortcuts.map((s) => s.group))];
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={() => (store.isHelpOpen.value = false)}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      {isOpen && (
        <>
          <header>
            <h2 id="help-title">Keyboard</h2>
            <Button icon="close" label="Close" onClick={() => (store.isHelpOpen.value = false)} />
          </header>
          <div class="groups">
            {groups.map((group) => (
              <section key={group}>
                <h3>{group}</h3>
                <dl>
                  {shortcuts
                    .filter((s) => s.group === group)
                    .map((s) => (
                      <div key={s.keys[0]}>
                        <dt>
                          {(s.keys[0] === "1" ? ["1 … 6"] : s.keys[0] === "+" ? ["+"] : s.keys).map((key) => (
                            <kbd key={key}>{nameOfKey(key)}</kbd>
                          ))}
                        </dt>
                        <dd>{s.about}</dd>
                      </div>
                    ))}
                </dl>
              </section>
            ))}
            <section>
              <h3>Mouse</h3>
              <dl>
                <div><dt>Drag</dt><dd>Turn; with Alt or another button, move; wheel: nearer, farther</dd></div>
                <div><dt>Shift + drag</dt><dd>Hold a body and pull</dd></div>
                <div><dt>Click</dt><dd>Select, or use the tool</dd></div>
              </dl>
            </section>
            <section>
              <h3>Fingers</h3>
              <dl>
                <div><dt>Drag</dt><dd>Turn; two fingers: move, nearer, farther</dd></div>
                <div><dt>Hold, then drag</dt><dd>Hold a body and pull</dd></div>
                <div><dt>Tap, tap twice</dt><dd>Select, look there</dd></div>
              </dl>
            </section>
          </div>
        </>
      )}
    </dialog>
  );
}
