import { expect, it } from "vitest";
import { score, search } from "./fuzzy";

const names = ["crank.position.x", "crank.position.y", "coupler.position.x", "energy.kinetic", "contact.count"];

it("finds all words, in any order", () => {
  expect(search("x crank", names)).toEqual(["crank.position.x"]);
});
it("finds letters in order", () => {
  expect(search("enk", names)).toEqual(["energy.kinetic"]);
});
it("puts whole words at the start before letters in order", () => {
  expect(search("co", names).slice(0, 2)).toEqual(["contact.count", "coupler.position.x"]);
  expect(score("pos", "crank.position.x")!).toBeGreaterThan(score("pos", "path of stone")!);
});
it("takes a whole word for better than a part of one", () => {
  expect(search("body 1 v", ["body 10.v.x", "body 1.v.norm"])[0]).toBe("body 1.v.norm");
});
it("finds nothing where there is nothing", () => {
  expect(search("zzz", names)).toEqual([]);
});
it("gives all, in order, for an empty query", () => {
  expect(search("  ", names, 2)).toEqual(names.slice(0, 2));
});
