// What is known of a failure after another state. The server forgets why it stopped as soon as somebody goes back to look.
import type { State } from "./client";
import type { Breakdown } from "./store";

export function breakdownAfter(before: Breakdown | null, state: Pick<State, "time" | "transport">): Breakdown | null {
  const why = state.transport?.trouble;
  if (why) return before?.why === why && before.at === state.time ? before : { at: state.time, why };
  if (!before) return null;
  // It went on beyond, or what led to it did not happen: somebody changed the past.
  const tiny = 1e-9 * Math.max(1, Math.abs(before.at));
  const isBeyond = state.time > before.at + tiny;
  const isAnotherPast = (state.transport?.last ?? 0) < before.at - tiny;
  return isBeyond || isAnotherPast ? null : before;
}
