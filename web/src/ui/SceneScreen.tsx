// A scene: the 3D view with everything around it.
import { View } from "../view/View";
import { useEffect } from "preact/hooks";
import { FileReport } from "./FileReport";
import type { Direction } from "../view/actions";
import { arePlotsOpen, focusView, isInspectorOpen, isTreeOpen, viewCount } from "./layout";
import { Plots } from "./Plots";
import { SidePanel } from "./SidePanel";
import { Timeline } from "./Timeline";
import { ToolOptions } from "./ToolOptions";
import { TopBar } from "./TopBar";
import { TreePanel } from "./TreePanel";
import { Try } from "./Try";

// From where the others look.
const besides: Record<1 | 2 | 4, Direction[]> = { 1: [], 2: ["front"], 4: ["front", "right", "top"] };

export function SceneScreen() {
  useEffect(() => focusView(), []);
  return (
    <div class="scene">
      <TopBar />
      <main class="middle">
        <div class="stage">
          <div class="views" data-count={viewCount.value}>
            <View />
            {besides[viewCount.value].map((direction) => (
              <View key={direction} direction={direction} />
            ))}
          </div>
          <ToolOptions />
          <Try />
          <FileReport />
        </div>
        {isTreeOpen.value && <TreePanel />}
        {isInspectorOpen.value && <SidePanel />}
      </main>
      {arePlotsOpen.value && <Plots />}
      <Timeline />
    </div>
  );
}
