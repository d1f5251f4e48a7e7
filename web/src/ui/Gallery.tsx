// The start page: all scenes that can be opened.
import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { GalleryEntry, Gallery as Scenes } from "../core/messages";
import { tokenIn } from "../core/session";
import * as store from "../core/store";
import { openScene } from "./commands";
import { search } from "./fuzzy";
import { groupsOf, hintFor, isRecording } from "./groups";
import { Icon } from "./icons";
import { isTouched } from "./layout";
import { SearchBox } from "./parts";
import { Mark, Placeholder } from "./Pictures";
import { ownPictures } from "./ownPictures";
import { PageButtons } from "./PageButtons";

const entries = signal<GalleryEntry[] | null>(null);
const query = signal("");
const found = computed(() => {
  const all = entries.value ?? [];
  if (query.value.trim() === "") return all;
  const byText = new Map(all.map((e) => [`${e.title} ${e.name}`, e]));
  return search(query.value, [...byText.keys()]).map((text) => byText.get(text)!);
});

async function load(): Promise<void> {
  try {
    const headers = { Authorization: `Bearer ${tokenIn(location.hash)}` };
    const answer = await fetch("api/scenes", { headers });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    entries.value = ((await answer.json()) as Scenes).scenes;
  } catch (error) {
    if (store.link.value === "open") store.notify(`The gallery could not be read: ${(error as Error).message}`);
  }
}

function open(entry: GalleryEntry): void {
  if (store.isOperator.value) openScene(entry.name);
  else store.notify("Only the operator opens scenes; yours will appear when it is opened.", "info");
}

// Arrow keys go from card to card, also to the row above and below.
function onArrow(event: KeyboardEvent, grid: HTMLElement | null): void {
  const cards = [...(grid?.querySelectorAll<HTMLElement>(".card") ?? [])];
  if (!cards.length) return;
  const at = cards.indexOf(document.activeElement as HTMLElement);
  const first = cards[0]!.offsetTop;
  const columns = Math.max(1, cards.filter((c) => c.offsetTop === first).length);
  const steps: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at < 0 ? 0 : at + columns,
    ArrowUp: at - columns,
    Home: 0,
    End: cards.length - 1,
  };
  const next = steps[event.key];
  if (next === undefined) return;
  event.preventDefault();
  if (next < 0 && event.key === "ArrowUp") document.querySelector<HTMLElement>(".gallery input")?.focus();
  else cards[Math.min(cards.length - 1, Math.max(0, next))]!.focus();
}

export function Gallery() {
  const grid = useRef<HTMLDivElement>(null);
  const isOpen = store.link.value === "open";
  useEffect(() => {
    if (isOpen) void load();
  }, [isOpen]);
  const list = found.value;
  return (
    <div class="gallery">
      <header>
        <Mark />
        <div class="words">
          <h1>Bristle</h1>
          <p>Machines and everything they touch, simulated while you watch and steer.</p>
        </div>
        <PageButtons />
      </header>
      <main>
        <div class="find">
          <SearchBox
            label="Search scenes"
            value={query.value}
            onInput={(text) => (query.value = text)}
            onKeyDown={(event) => {
              if (event.key === "ArrowDown") onArrow(event, grid.current);
              else if (event.key === "Enter" && list[0]) open(list[0]);
            }}
          />
          <span class="count" role="status">
            {entries.value ? `${list.length} ${list.length === 1 ? "scene" : "scenes"}` : ""}
          </span>
        </div>
        <div ref={grid} onKeyDown={(event) => onArrow(event, grid.current)}>
          {query.value.trim() === "" ? (
            groupsOf(list).map((group) => <Cards key={group.label} {...group} />)
          ) : (
            <Cards label="Found" entries={list} />
          )}
        </div>
        {entries.value && list.length === 0 && <p class="nothing">No scene is called like that.</p>}
      </main>
    </div>
  );
}

function Cards({ label, entries }: { label: string; entries: GalleryEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <section aria-label={label}>
      <h2>{label}</h2>
      <ul class="cards">
        {entries.map((entry) => (
          <Card key={entry.name} entry={entry} />
        ))}
      </ul>
    </section>
  );
}

// The scene that a picture is of; a recording, out/four-bar-2.mcap, has that of its scene.
function pictureOf(entry: GalleryEntry): string {
  return isRecording(entry) ? entry.name.replace(/^.*\//, "").replace(/(-\d+)?\.mcap$/, "") : entry.name;
}

function Card({ entry }: { entry: GalleryEntry }) {
  const picture = pictureOf(entry);
  const isOpening = store.opening.value === entry.name;
  const hint = hintFor(entry, isTouched);
  return (
    <li>
      <button
        type="button"
        class={isOpening ? "card opening" : "card"}
        data-scene={entry.name}
        aria-busy={isOpening}
        disabled={store.opening.value !== null && !isOpening}
        onClick={() => open(entry)}
      >
        <span class="picture">
          {ownPictures.value[entry.name] ? (
            <img src={ownPictures.value[entry.name]} alt="" width="480" height="300" />
          ) : __PICTURES__.includes(picture) ? (
            <img src={`gallery/${picture}.webp`} alt="" loading="lazy" width="480" height="300" />
          ) : (
            <Placeholder name={entry.name} />
          )}
          {isOpening && (
            <span class="progress">
              <Icon name="clock" /> Opening …
            </span>
          )}
        </span>
        <span class="title">{entry.title || entry.name}</span>
        {hint && <span class="hint">{hint}</span>}
        <span class="name">{entry.name}</span>
      </button>
    </li>
  );
}
