// The 3D view as a component: fills its parent. One is the first; others beside it begin with a direction of their own.
import { useEffect, useRef, useState } from "preact/hooks";
import { arrowScale, attach, detach, directionNames, prefer, type Direction } from "./actions";
import { withPrefix } from "./math";
import { palettes } from "./palette";
import { theme } from "../core/store";
import { Viewer } from "./viewer";
import "./view.css";

function Legend() {
  const { length, force, moment } = arrowScale.value;
  const { force: forceColour, moment: momentColour } = palettes[theme.value];
  const line = (value: number | null, unit: string, colour: string, sign: string) =>
    value !== null && (
      <div>
        <span style={{ color: colour }}>{sign}</span> {withPrefix(length, "m")} stands for {withPrefix(value, unit)}
      </div>
    );
  if (force === null && moment === null) return null;
  return (
    <div class="view-legend">
      {line(force, "N", forceColour, "⟶")}
      {line(moment, "N m", momentColour, "⟶⟩")}
    </div>
  );
}

export function View({ direction }: { direction?: Direction }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLDivElement>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    let viewer: Viewer;
    try {
      viewer = new Viewer(canvas.current!, overlay.current!, direction);
    } catch (error) {
      setTrouble((error as Error).message);
      return undefined;
    }
    attach(viewer);
    const use = () => prefer(viewer);
    canvas.current!.addEventListener("focus", use);
    return () => {
      detach(viewer);
      viewer.dispose();
    };
  }, []);
  return (
    <div class="view">
      <canvas ref={canvas} tabIndex={0} aria-label={direction ? `Scene, ${directionNames[direction].toLowerCase()}` : "Scene"} hidden={trouble !== ""} />
      <div ref={overlay} class="view-labels" aria-hidden="true" />
      {direction ? <div class="view-name">{directionNames[direction]}</div> : <Legend />}
      {trouble && (
        <div class="view-trouble" role="alert">
          <strong>The scene cannot be drawn: this browser gives no WebGL 2.</strong>
          <p>Turn on hardware acceleration in its settings, or use a newer browser. Values, plots and the timeline work without it.</p>
          <small>{trouble}</small>
        </div>
      )}
    </div>
  );
}
