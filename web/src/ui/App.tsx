import { useEffect } from "preact/hooks";
import * as store from "../core/store";
import { startDevices } from "./drive";
import { Gallery } from "./Gallery";
import { Connecting, Help, LostBanner, Notices, Refused } from "./Overlays";
import { SceneScreen } from "./SceneScreen";
import { startTakingPictures } from "./ownPictures";
import { onKey } from "./shortcuts";
import { startTheme } from "./theme";

startTheme();

function Page() {
  if (store.link.value === "refused") return <Refused />;
  if (store.scene.value) return <SceneScreen />;
  if (store.link.value === "connecting") return <Connecting />;
  return <Gallery />;
}

export function App() {
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    startDevices();
    startTakingPictures();
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    document.title = store.scene.value ? `${store.scene.value.title || store.scene.value.name} – Bristle` : "Bristle";
  }, [store.scene.value]);
  return (
    <>
      <Page />
      <LostBanner />
      <Notices />
      <Help />
    </>
  );
}
