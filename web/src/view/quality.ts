// How much work a picture may be: chosen by a slider and kept, or as suits what draws it.
import { signal } from "@preact/signals";

export interface Quality {
  name: string;
  ratio: number; // pixels drawn for a pixel of the page, at most
  shadow: number; // texels a side of the map; 0: no shadows
  isSoft: boolean; // edges of shadows
  detail: number; // how much finer than a pixel asks for
}

export const qualities: readonly Quality[] = [
  { name: "Fastest", ratio: 0.75, shadow: 0, isSoft: false, detail: 0.35 },
  { name: "Plain", ratio: 1, shadow: 1024, isSoft: false, detail: 0.7 },
  { name: "Good", ratio: 2, shadow: 2048, isSoft: true, detail: 1 },
  { name: "Finest", ratio: 3, shadow: 4096, isSoft: true, detail: 3 },
];

const key = "bristle-quality";
const kept = typeof localStorage === "undefined" ? null : localStorage.getItem(key);
export const chosenQuality = signal<number | null>(kept !== null && qualities[Number(kept)] ? Number(kept) : null);
// Of a processor that has to do the graphics card's work, known once a view is there.
export const isDrawnSlowly = signal(false);

export function qualityNow(): number {
  return chosenQuality.value ?? (isDrawnSlowly.value ? 1 : 2);
}
export function chooseQuality(level: number): void {
  chosenQuality.value = level;
  localStorage.setItem(key, String(level));
}
