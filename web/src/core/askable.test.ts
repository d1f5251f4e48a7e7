import { describe, expect, it } from "vitest";
import { askableOf } from "./askable";

const things = { bodies: [{ name: "box" }, { name: "gone", is_gone: true }], joints: [{ name: "A" }], links: [] };

describe("What a scene can be asked for", () => {
  it("is in its list or its plots, or a point or a contact", () => {
    const can = askableOf({ ...things, quantities: ["box.speed"], plots: [{ quantities: ["A.angle"] }] });
    expect(["box.speed", "A.angle", "box.point(1, 0, 0).x", "contact.force(box).z", "A.rate", "box.colour"].filter(can)).toEqual([
      "box.speed",
      "A.angle",
      "box.point(1, 0, 0).x",
      "contact.force(box).z",
    ]);
  });

  // The angle that the scene itself plotted was never asked for where a hundred bodies filled the list.
  it("is what its things may have, where the list has an end", () => {
    const can = askableOf({ ...things, quantities: Array.from({ length: 4000 }, (_, i) => `ball ${i}.speed`), plots: [] });
    expect(["A.angle", "box.speed", "gone.speed", "nobody.speed"].filter(can)).toEqual(["A.angle", "box.speed"]);
  });
});
