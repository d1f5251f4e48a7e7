import { expect, it, vi } from "vitest";

vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
const { shortcuts } = await import("./shortcuts");

it("gives every key one meaning", () => {
  const keys = shortcuts.flatMap((s) => s.keys);
  expect(new Set(keys).size).toBe(keys.length);
});
it("is written as the handler compares", () => {
  for (const key of shortcuts.flatMap((s) => s.keys)) if (key.length === 1) expect(key).toBe(key.toLowerCase());
});
it("says what each does", () => {
  for (const { about } of shortcuts) expect(about).toMatch(/^[A-Z]/);
});
