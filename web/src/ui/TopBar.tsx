import * as store from "../core/store";
import { directionNames, directions, fitView, lookFrom } from "../view/actions";
import * as commands from "./commands";
import { Icon } from "./icons";
import * as layout from "./layout";
import { Button, Dropdown, MenuItem } from "./parts";
import { PageButtons } from "./PageButtons";

export function TopBar() {
  const scene = store.scene.value!;
  return (
    <header class="top-bar" data-gives-focus>
      <Button
        icon="gallery"
        label="Back to the gallery"
        isDisabled={!store.isOperator.value}
        onClick={commands.closeScene}
      />
      <h1 title={scene.title}>{scene.title || scene.name}</h1>
      <Seat />
      <span class="space" />
      <ToolMenu />
      <LayerMenu />
      <CameraMenu />
      <span class="divider" />
      <RecordButton />
      <Button icon="camera" label="Screenshot" keys="s" onClick={() => void commands.takeScreenshot()} />
      <Button
        icon="video"
        label={layout.isFilming.value ? "Stop the video and save it" : "Video"}
        keys="v"
        isOn={layout.isFilming.value}
        class={`filming ${layout.isFilming.value ? "live" : ""}`}
        onClick={() => void commands.toggleVideo()}
      />
      <span class="divider" />
      <PanelButton icon="tree" label="Scene tree" keys="n" panel={layout.isTreeOpen} />
      <PanelButton icon="chart" label="Plots" keys="p" panel={layout.arePlotsOpen} />
      <PanelButton icon="sliders" label="Inspector and controls" keys="i" panel={layout.isInspectorOpen} />
      <span class="divider" />
      <PageButtons />
    </header>
  );
}

function PanelButton(props: { icon: string; label: string; keys: string; panel: typeof layout.isTreeOpen }) {
  const { panel, ...rest } = props;
  return <Button {...rest} isOn={panel.value} onClick={() => (panel.value = !panel.value)} />;
}

// Who may steer, and how many look.
function Seat() {
  const isOperator = store.isOperator.value;
  const role = isOperator ? "operator" : "viewer";
  const others = store.viewers.value - 1;
  return (
    <>
      <span class={`badge ${store.scene.value!.is_recording ? "replay" : role}`} data-role={role} title={isOperator ? "You steer this session" : "You watch this session"}>
        {store.scene.value!.is_recording ? "Recording" : isOperator ? "Operator" : "Viewer"}
      </span>
      {!isOperator && store.mayTake.value && (
        <Button label="Take the seat" text="Take the seat" kind="strong" onClick={commands.takeSeat} />
      )}
      {others > 0 && (
        <span class="viewers" title={`${others} more ${others === 1 ? "looks" : "look"} on`}>
          <Icon name="person" />
          {store.viewers.value}
        </span>
      )}
    </>
  );
}

function RecordButton() {
  const file = store.recordingTo.value;
  return (
    <span class="recording" data-file={file ?? ""}>
      <Button
        icon="record"
        label={file ? "Stop recording" : "Record to a file"}
        keys="r"
        isOn={file !== null}
        class={file ? "live" : ""}
        isDisabled={!store.canSteer.value}
        {...(file ? { text: file.replace(/^.*\//, "") } : {})}
        onClick={commands.toggleRecord}
      />
    </span>
  );
}

function IconMenu(props: { which: layout.Menu; icon: string; label: string; keys: string; isDisabled?: boolean; isOn?: boolean; children: preact.ComponentChildren }) {
  const { which, label, keys, isDisabled = false } = props;
  const button = { class: `square ${props.isOn ? "marked" : ""}`, label, title: `${label} (${keys.toUpperCase()})`, isDisabled };
  return (
    <Dropdown which={which} label={label} button={button} face={<Icon name={props.icon} />}>
      {props.children}
    </Dropdown>
  );
}

const tools: [store.Tool, string, string, string?][] = [
  ["select", "Select", "select", "Escape"],
  ["grab", "Grab a body", "hand", "g"],
  ["box", "Add a box", "box", "b"],
  ["sphere", "Add a ball", "sphere", "o"],
  ["capsule", "Add a capsule", "capsule"],
  ["cylinder", "Add a cylinder", "cylinder"],
  ["polygon", "Add a polygon", "polygon"],
  ["spring", "Add a spring between two points", "link", "k"],
  ["revolute", "Add a hinge", "joint", "j"],
  ["spherical", "Add a ball joint", "joint"],
  ["fixed", "Weld two bodies", "pin"],
];

function ToolMenu() {
  const tool = store.tool.value;
  const icon = tools.find(([name]) => name === tool)![2];
  const pick = (name: store.Tool) => {
    store.tool.value = name;
    layout.menu.value = null;
  };
  return (
    <IconMenu which="tools" icon={icon} label="Tools" keys="m" isDisabled={!store.canSteer.value} isOn={tool !== "select"}>
      {tools.map(([name, label, icon, keys]) => (
        <MenuItem
          key={name}
          kind="menuitemradio"
          label={label}
          icon={icon}
          {...(keys ? { keys } : {})}
          isChecked={tool === name}
          onClick={() => pick(name)}
        />
      ))}
      <hr />
      <MenuItem label="Undo" icon="undo" keys="u" onClick={commands.undo} />
    </IconMenu>
  );
}

const layerNames: [keyof store.Layers, string][] = [
  ["contacts", "Contact points"],
  ["normals", "Contact normals"],
  ["forces", "Forces"],
  ["contours", "Contours of patches"],
  ["volumes", "Shared volumes"],
  ["joints", "Joints"],
  ["reactions", "Reactions of joints"],
  ["boxes", "Bounding boxes"],
  ["names", "Names"],
  ["grid", "Grid"],
];

function LayerMenu() {
  return (
    <IconMenu which="layers" icon="layers" label="Layers" keys="l">
      {layerNames.map(([layer, label]) => (
        <MenuItem
          key={layer}
          kind="menuitemcheckbox"
          label={label}
          isChecked={store.layers.value[layer]}
          onClick={() => commands.toggleLayer(layer)}
        />
      ))}
    </IconMenu>
  );
}

function CameraMenu() {
  const camera = store.camera.value;
  const body = commands.selectedBody();
  const name = body === null ? "the selected body" : store.scene.value!.bodies[body]?.name || `body ${body}`;
  const done = (act: () => void) => () => {
    act();
    layout.menu.value = null;
  };
  return (
    <IconMenu which="camera" icon="eye" label="Camera" keys="c" isOn={camera.kind !== "free"}>
      <MenuItem label="See everything" icon="fit" keys="f" onClick={done(fitView)} />
      {directions.map((direction, i) => (
        <MenuItem key={direction} label={directionNames[direction]} keys={String(i + 1)} onClick={done(() => lookFrom(direction))} />
      ))}
      <hr />
      {([[1, "One view"], [2, "Two views"], [4, "Four views"]] as const).map(([count, label]) => (
        <MenuItem
          key={count}
          kind="menuitemradio"
          label={label}
          isChecked={layout.viewCount.value === count}
          onClick={done(() => (layout.viewCount.value = count))}
        />
      ))}
      <hr />
      <MenuItem
        kind="menuitemradio"
        label="Free"
        isChecked={camera.kind === "free"}
        onClick={done(() => (store.camera.value = { kind: "free" }))}
      />
      <MenuItem
        kind="menuitemradio"
        label={`Track ${name}`}
        keys="q"
        isChecked={camera.kind === "track"}
        isDisabled={body === null && camera.kind !== "track"}
        onClick={done(() => body !== null && commands.track(body))}
      />
      <MenuItem
        kind="menuitemradio"
        label={`Attach to ${name}`}
        keys="a"
        isChecked={camera.kind === "attached"}
        isDisabled={body === null && camera.kind !== "attached"}
        onClick={done(() => body !== null && commands.attach(body))}
      />
    </IconMenu>
  );
}
