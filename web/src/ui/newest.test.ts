import { expect, it } from "vitest";
import { NewestWins } from "./newest";

it("leaves out what was overtaken, and never has two under way", async () => {
  const sent: number[] = [];
  const answer: (() => void)[] = [];
  const queue = new NewestWins<number>((value) => {
    sent.push(value);
    return new Promise<void>((done) => answer.push(done));
  });
  for (const value of [1, 2, 3]) queue.push(value);
  expect(sent).toEqual([1]);
  answer.shift()!();
  await Promise.resolve();
  await Promise.resolve();
  expect(sent).toEqual([1, 3]);
});

it("goes on after a failure", async () => {
  const sent: number[] = [];
  const queue = new NewestWins<number>(async (value) => {
    sent.push(value);
    throw new Error("refused");
  });
  queue.push(1);
  await new Promise((done) => setTimeout(done));
  queue.push(2);
  await new Promise((done) => setTimeout(done));
  expect(sent).toEqual([1, 2]);
});
