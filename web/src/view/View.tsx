// The 3D view as a component: fills its parent.
import { useEffect, useRef, useState } from "preact/hooks";
import { attach } from "./actions";
import { Viewer } from "./viewer";
import "./view.css";

export function View() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLDivElement>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    let viewer: Viewer;
    try {
      viewer = new Viewer(canvas.current!, overlay.current!);
    } catch (error) {
      setTrouble((error as Error).message);
      return undefined;
    }
    attach(viewer);
    return () => {
      attach(null);
      viewer.dispose();
    };
  }, []);
  return (
    <div class="view">
      <canvas ref={canvas} tabIndex={0} aria-label="Scene" hidden={trouble !== ""} />
      <div ref={overlay} class="view-labels" aria-hidden="true" />
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
