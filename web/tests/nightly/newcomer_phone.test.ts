import { describe, it } from "vitest";
import { phone, useBrowser } from "../e2e/browser";
import { firstQuarter } from "../e2e/newcomer";

describe("A newcomer with a phone", () => {
  useBrowser();
  it("chooses, grabs, plots, changes a parameter and the file, breaks it, mends it, records and shares", () => firstQuarter(phone, true));
});
