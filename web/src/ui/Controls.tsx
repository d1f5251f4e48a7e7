// Sliders for what takes commands, and the keys and sticks that move the same.
import { signal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { Channel } from "../core/messages";
import { order } from "../core/session";
import * as store from "../core/store";
import { gamepadName } from "./drive";
import { isDriving } from "./layout";
import { NewestWins } from "./newest";
import { Button } from "./parts";
import { numberText } from "./scale";


export function Controls() {
  const { channels, keyboard, mouse } = store.controls.value;
  const isDisabled = !store.canSteer.value;
  return (
    <section class="controls">
      {channels.map((channel) => (
        <ChannelSlider key={channel.name} channel={channel} isDisabled={isDisabled} />
      ))}
      {keyboard.length + mouse.length > 0 && (
        <>
          <Button
            icon="keyboard"
            label="Drive with keys"
            text={isDriving.value ? "Keys drive the scene" : "Drive with keys"}
            keys="d"
            isOn={isDriving.value}
            isDisabled={isDisabled}
            onClick={() => (isDriving.value = !isDriving.value)}
          />
          <p class="keys">
            {keyboard.map((key) => (
              <kbd key={key}>{key.replace(/^key /, "")}</kbd>
            ))}
          </p>
          {isDriving.value && (
            <p class="hint">
              {keyboard.length > 0 && "These keys win over the shortcuts. "}
              {mouse.length > 0 && "Dragging in the view steers. "}
              Esc ends it.
            </p>
          )}
        </>
      )}
      {gamepadName.value && <p class="hint">Gamepad: {gamepadName.value}</p>}
    </section>
  );
}

function ChannelSlider({ channel, isDisabled }: { channel: Channel; isDisabled: boolean }) {
  const value = useMemo(() => signal(channel.value), [channel]);
  const sender = useRef(new NewestWins<number>((v) => order({ command: { channel: channel.name, value: v } })));
  const set = (wanted: number) => {
    if (!Number.isFinite(wanted)) return;
    value.value = Math.min(channel.high, Math.max(channel.low, wanted));
    sender.current.push(value.value);
  };
  const id = `channel-${channel.name}`;
  const span = channel.high - channel.low;
  return (
    <div class="channel" data-channel={channel.name}>
      <label for={id}>{channel.name}</label>
      <span class="number">
        <input
          type="number"
          aria-label={`${channel.name}, number`}
          value={Number(value.value.toPrecision(4))}
          min={channel.low}
          max={channel.high}
          step={span / 100}
          disabled={isDisabled}
          onChange={(event) => set(event.currentTarget.valueAsNumber)}
        />
        <small>{channel.unit}</small>
      </span>
      <input
        id={id}
        type="range"
        min={channel.low}
        max={channel.high}
        step={span / 200}
        value={value.value}
        aria-valuetext={`${numberText(value.value)} ${channel.unit}`}
        disabled={isDisabled}
        onInput={(event) => set(event.currentTarget.valueAsNumber)}
      />
      <Button
        label={`${channel.name} to zero`}
        text="0"
        isDisabled={isDisabled || channel.low > 0 || channel.high < 0}
        onClick={() => set(0)}
      />
    </div>
  );
}
