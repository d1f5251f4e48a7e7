// Colours of the view, for both themes.
import { Color } from "three";

export interface Palette {
  skyTop: string;
  skyBottom: string; // at the horizon
  glow: string; // of the sun
  ground: string;
  groundLine: string;
  section: string; // of the ground, where it is cut
  scenery: string; // what is fixed
  metal: string; // what is only sketched
  accent: string; // selected
  contact: string;
  force: string;
  moment: string;
  normal: string;
  joint: string;
  hand: string;
  box: string;
  volume: string; // that solids share
  sun: number;
  fill: number;
}

export const palettes: Record<"light" | "dark", Palette> = {
  light: {
    skyTop: "#8db4de",
    skyBottom: "#e9f0f6",
    glow: "#fff0cf",
    ground: "#e3e6ea",
    groundLine: "#8b97a5",
    section: "#c9c0b2",
    scenery: "#b4bac2",
    metal: "#bcc6d2",
    accent: "#ff7a1a",
    contact: "#e0312e",
    force: "#d6248f",
    moment: "#7a3fd0",
    normal: "#1681c4",
    joint: "#0f9d77",
    hand: "#ff7a1a",
    box: "#3c7dd1",
    volume: "#f2a900",
    sun: 2.2,
    fill: 0.95,
  },
  dark: {
    skyTop: "#0c1219",
    skyBottom: "#303b49",
    glow: "#4a4238",
    ground: "#39424e",
    groundLine: "#8391a3",
    section: "#5d564c",
    scenery: "#7b8591",
    metal: "#b9c5d3",
    accent: "#ffa040",
    contact: "#ff6a5e",
    force: "#ff6fc0",
    moment: "#b794ff",
    normal: "#5bc0ff",
    joint: "#3ddcae",
    hand: "#ffa040",
    box: "#6fa8f5",
    volume: "#ffc940",
    sun: 2.1,
    fill: 0.75,
  },
};

const bodies = ["#3d7ebf", "#e58a3c", "#4ba56b", "#cf5350", "#8570c4", "#2ea3a1", "#ddb03f", "#c4648f", "#5f86a0", "#a57a52"].map(
  (c) => new Color(c),
);

// A body keeps its colour as long as it has its number; 0 is the ground.
export function bodyColour(body: number, isSketch: boolean, palette: Palette, out: Color): Color {
  if (body === 0) return out.set(isSketch ? palette.metal : palette.scenery);
  const own = bodies[(body - 1) % bodies.length]!;
  return isSketch ? out.set(palette.metal).lerp(own, 0.45) : out.copy(own);
}
