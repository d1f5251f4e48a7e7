// `bristle view` as a test sees it: a process of its own in a folder of its own, on a free port.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = process.env["BRISTLE"] ?? fileURLToPath(new URL("../../../build/release/bristle", import.meta.url));

export class Program {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    readonly operator: string, // addresses
    readonly viewer: string,
  ) {}

  get pid(): number {
    return this.process.pid!;
  }
  get port(): number {
    return Number(new URL(this.operator).port);
  }

  static start(...args: string[]): Promise<Program> {
    const folder = mkdtempSync(join(tmpdir(), "bristle-e2e-"));
    const child = spawn(program, ["view", ...args, "--port", "0"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    return new Promise((done, failed) => {
      let said = "";
      const hear = (text: Buffer) => {
        said += text.toString();
        const open = /^Open\s+(\S+)/m.exec(said);
        const share = /^Share\s+(\S+)/m.exec(said);
        if (open && share) done(new Program(child, folder, open[1]!, share[1]!));
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.on("error", failed);
      child.on("exit", (code) => failed(new Error(`bristle view ended with ${code}: ${said}`)));
    });
  }

  // Stands still as a program does that is in trouble, and goes on.
  freeze(): void {
    this.process.kill("SIGSTOP");
  }
  thaw(): void {
    this.process.kill("SIGCONT");
  }

  stop(): Promise<void> {
    return new Promise((done) => {
      this.process.once("exit", () => {
        rmSync(this.folder, { recursive: true, force: true });
        done();
      });
      this.process.kill("SIGTERM");
    });
  }
}
