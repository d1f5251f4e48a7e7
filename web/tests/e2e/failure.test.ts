import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inScene, look, start, time, until, useBrowser } from "./browser";

const fails = `title: Fails
bodies:
  ball: {type: sphere, radius: 0.2, mass: 1, position: [0, 0, 1], material: default}
shapes:
  floor: {type: plane}
forces:
  push: {type: force, body: ball, force: ["sqrt(0.5 - t)", 0, 0]}
`;

describe("A failure", () => {
  useBrowser();

  it("can be looked back at, and is told meanwhile", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "bristle-fails-")), "fails.yaml");
    writeFileSync(file, fails);
    const program = await start(file);
    const page = await look(program.operator);
    await inScene(page);
    const failure = page.locator(".failure");
    await failure.waitFor();
    expect(await failure.textContent()).toContain("'push' is not finite");
    const at = Number(await failure.getAttribute("data-at"));
    expect(at).toBeGreaterThan(0.45);
    await failure.getByRole("button").click();
    await until(async () => (await time(page)) < 0.1);
    expect(await failure.textContent()).toContain("'push' is not finite"); // it is not forgotten
    await failure.getByRole("button").click();
    await until(async () => Math.abs((await time(page)) - at) < 1e-6);
    writeFileSync(file, fails.replace("sqrt(0.5 - t)", "1"));
    await failure.waitFor({ state: "detached" });
  });
});
