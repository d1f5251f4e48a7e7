// Pictures of one's own scenes for the gallery: taken by the page while a scene is looked at, and kept by the browser.
import { signal } from "@preact/signals";
import * as store from "../core/store";
import { screenshot } from "../view/actions";

const key = "bristle-pictures";
const most = 24;
const [width, height] = [480, 300];
const after = 2500; // ms in a scene

export function readPictures(text: string | null): Record<string, string> {
  try {
    const found = Object.entries(JSON.parse(text ?? "{}") as Record<string, unknown>);
    return Object.fromEntries(found.filter((each): each is [string, string] => typeof each[1] === "string" && each[1].startsWith("data:image/webp;base64,")));
  } catch {
    return {};
  }
}
// The newest last; the oldest go.
export function withPicture(all: Record<string, string>, scene: string, picture: string): Record<string, string> {
  const { [scene]: _, ...others } = all;
  return Object.fromEntries([...Object.entries(others), [scene, picture] as [string, string]].slice(-most));
}

export const ownPictures = signal(readPictures(localStorage.getItem(key)));

async function take(scene: string): Promise<void> {
  const shot = await screenshot();
  if (store.sceneId.value !== scene || !store.scene.value) return;
  const picture = await createImageBitmap(shot);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  // The middle of it, as large as it fits.
  const scale = Math.max(width / picture.width, height / picture.height);
  const [w, h] = [scale * picture.width, scale * picture.height];
  canvas.getContext("2d")!.drawImage(picture, (width - w) / 2, (height - h) / 2, w, h);
  picture.close(); // megabytes that wait for the garbage collector
  const data = canvas.toDataURL("image/webp", 0.7);
  if (!data.startsWith("data:image/webp")) return;
  ownPictures.value = withPicture(ownPictures.value, scene, data);
  localStorage.setItem(key, JSON.stringify(ownPictures.value));
}

let timer: ReturnType<typeof setTimeout> | undefined;
export function startTakingPictures(): void {
  store.visit.subscribe(() => {
    clearTimeout(timer);
    const scene = store.sceneId.value;
    // A picture less is no trouble: no view, or no room.
    if (/\.ya?ml$/.test(scene)) timer = setTimeout(() => void take(scene).catch(() => undefined), after);
  });
}
