import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { groupsOf, tasks, tasksByTouch } from "./groups";

const entry = (name: string) => ({ name, title: name });

it("puts one's own scenes first, and loses none", () => {
  const all = ["bouncing-ball", "ragdoll", "out/a-1.mcap", "mine.yaml", "machine-by-hand", "something-new"].map(entry);
  const groups = groupsOf(all);
  expect(groups.map((g) => g.label)).toEqual(["Yours", "Start here", "Contact and friction", "Recordings"]);
  expect(groups[1]!.entries.map((e) => e.name)).toEqual(["machine-by-hand", "ragdoll"]);
  expect(groups.flatMap((g) => g.entries).length).toBe(all.length);
});

it("has a first task for every scene that comes with Bristle, with parameters that it has", () => {
  const folder = new URL("../../../scenes/", import.meta.url);
  const scenes = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  expect(scenes.length).toBeGreaterThan(30);
  for (const file of scenes) {
    const task = tasks[file.replace(".yaml", "")];
    expect(task, file).toBeDefined();
    const text = readFileSync(new URL(file, folder), "utf8");
    for (const [, parameter] of task!.matchAll(/“([^”]+)”/g)) expect(text, file).toMatch(new RegExp(`^  ${parameter}: \\{value:`, "m"));
  }
  expect(Object.keys(tasks).length).toBe(scenes.length);
});

it("tells fingers of no key and no mouse", () => {
  for (const [name, task] of Object.entries(tasks)) {
    expect(tasksByTouch[name] ?? task, name).not.toMatch(/\[|mouse|Hold|Press/);
    if (!/\[|mouse/.test(task)) expect(tasksByTouch[name], name).toBeUndefined();
  }
  for (const name of Object.keys(tasksByTouch)) expect(tasks[name], name).toBeDefined();
});
