// A scene: the 3D view with everything around it.
import { View } from "../view/View";
import { useEffect } from "preact/hooks";
import { FileReport } from "./FileReport";
import { arePlotsOpen, focusView, isInspectorOpen, isTreeOpen } from "./layout";
import { Plots } from "./Plots";
import { SidePanel } from "./SidePanel";
import { Timeline } from "./Timeline";
import { ToolOptions } from "./ToolOptions";
import { TopBar } from "./TopBar";
import { TreePanel } from "./TreePanel";

export function SceneScreen() {
  useEffect(() => focusView(), []);
  return (
    <div class="scene">
      <TopBar />
      <main class="middle">
        <div class="stage">
          <View />
          <ToolOptions />
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
