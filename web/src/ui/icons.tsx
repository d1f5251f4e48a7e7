// Drawn in a square of 16.
const paths: Record<string, string> = {
  play: "M4.5 2.8v10.4l8.6-5.2z",
  pause: "M4.5 3v10M11.5 3v10",
  step: "M3.5 3.2v9.6l6.5-4.8zM12.5 3v10",
  back: "M12.5 3.2v9.6L6 8zM3.5 3v10",
  restart: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5v3h3",
  gallery: "M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z",
  camera: "M2 5h2.5l1-1.8h5L11.5 5H14v8H2zM8 6.5a2.3 2.3 0 1 0 .01 0z",
  video: "M2 4.5h8v7H2zM10 7.3l4-2.3v6l-4-2.3z",
  record: "M8 3.5a4.5 4.5 0 1 0 .01 0z",
  sun: "M8 5a3 3 0 1 0 .01 0zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9L13 13M3 13l1.1-1.1M11.9 4.1L13 3",
  moon: "M13 9.8A5.6 5.6 0 0 1 6.2 3 5.6 5.6 0 1 0 13 9.8z",
  help: "M5.8 6a2.2 2.2 0 1 1 3.2 2c-.8.4-1 .8-1 1.5M8 12v.2",
  layers: "M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3",
  eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 0 .01 0z",
  tools: "M2.5 13.5l6-6M9.5 2.5a3.3 3.3 0 0 0 4 4l-2.2-.4-1.3-1.3z",
  tree: "M2.5 3h5M5 6.5h7M5 10h7M5 13.5h5M3 3v10.5",
  sliders: "M2 4.5h6M11 4.5h3M2 11.5h3M8 11.5h6M9.5 3v3M6.5 10v3",
  chart: "M2 2v12h12M4.5 11l3-4 2.5 2 3.5-5",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  search: "M7 2.5a4.5 4.5 0 1 0 .01 0zM10.3 10.3L14 14",
  trash: "M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.5 9h6l.5-9",
  target: "M8 3.5a4.5 4.5 0 1 0 .01 0zM8 1v4M8 11v4M1 8h4M11 8h4",
  pin: "M8 9.5V15M5 2.5h6l-1 4 2 3H4l2-3z",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  download: "M8 2v8M4.8 7L8 10.2 11.2 7M2.5 13.5h11",
  body: "M8 2l5.2 3v6L8 14l-5.2-3V5zM8 8l5.2-3M8 8v6M8 8L2.8 5",
  joint: "M8 5.7a2.3 2.3 0 1 0 .01 0zM2 3.5l4.3 3M14 3.5l-4.3 3",
  link: "M1.5 8h2l1-3 2 6 2-6 2 6 1-3h3",
  channel: "M3 8h10M8 4.5v7",
  shape: "M3 3h6v6H3zM10.5 7a3.2 3.2 0 1 1-3.5 3.5",
  select: "M3.5 2l9 5.2-4 1-1.5 4z",
  hand: "M4.5 9V5.5a1 1 0 0 1 2 0V3.5a1 1 0 0 1 2 0v1a1 1 0 0 1 2 0v1.5a1 1 0 0 1 2 0V10a4 4 0 0 1-4 4h-1C5.5 14 4.8 12.5 4.5 9z",
  box: "M3 3.5h10v9H3z",
  sphere: "M8 3a5 5 0 1 0 .01 0zM3 8c2 2 8 2 10 0",
  capsule: "M5.5 5a2.5 2.5 0 0 1 5 0v6a2.5 2.5 0 0 1-5 0z",
  cylinder: "M4 4.5c0-2 8-2 8 0v7c0 2-8 2-8 0zM4 4.5c0 2 8 2 8 0",
  polygon: "M8 2.5l5.2 3.8-2 6.2H4.8l-2-6.2z",
  undo: "M6 3L2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H6",
  keyboard: "M1.5 4.5h13v7h-13zM4 7h.01M6.5 7h.01M9 7h.01M11.5 7h.01M5 9.5h6",
  person: "M8 2.5a2.5 2.5 0 1 0 .01 0zM3 14c.5-5 9.5-5 10 0",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  clock: "M8 2.5a5.5 5.5 0 1 0 .01 0zM8 5v3.2l2.2 1.3",
};
const filled = new Set(["play", "record"]);

export function Icon({ name }: { name: string }) {
  const isFilled = filled.has(name);
  return (
    <svg class={isFilled ? "icon filled" : "icon"} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name] ?? ""} />
    </svg>
  );
}
