import { describe, it } from "vitest";
import { phone, useBrowser } from "../e2e/browser";
import { firstQuarter } from "./newcomer";

describe("A newcomer chooses, grabs, plots, changes a parameter and the file, breaks it, mends it, records and shares", () => {
  useBrowser();
  it("with a mouse", () => firstQuarter({ viewport: { width: 1280, height: 800 } }, false));
  it("with fingers on a phone", () => firstQuarter(phone, true));
});
