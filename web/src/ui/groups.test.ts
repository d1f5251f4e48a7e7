import { expect, it } from "vitest";
import { groupsOf } from "./groups";

const entry = (name: string) => ({ name, title: name });

it("puts one's own scenes first, and loses none", () => {
  const all = ["bouncing-ball", "ragdoll", "out/a-1.mcap", "mine.yaml", "machine-by-hand", "something-new"].map(entry);
  const groups = groupsOf(all);
  expect(groups.map((g) => g.label)).toEqual(["Yours", "Start here", "Contact and friction", "Recordings"]);
  expect(groups[1]!.entries.map((e) => e.name)).toEqual(["machine-by-hand", "ragdoll"]);
  expect(groups.flatMap((g) => g.entries).length).toBe(all.length);
});
