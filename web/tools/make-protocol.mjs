// Makes src/core/protocol.js and its types from live/wire/protocol.proto: the page decodes, it never encodes.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pbjs from "protobufjs-cli/pbjs.js";
import pbts from "protobufjs-cli/pbts.js";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const schema = join(web, "../live/wire/protocol.proto");
const script = join(web, "src/core/protocol.js");
const types = join(web, "src/core/protocol.d.ts");

const changed = (file) => {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
};

if (Math.min(changed(script), changed(types)) < changed(schema)) {
  const options = ["-t", "static-module", "-w", "es6", "--keep-case", "--force-number"];
  const nothing = ["--no-create", "--no-encode", "--no-verify", "--no-convert", "--no-delimited", "--no-service"];
  const made = await promisify(pbjs.main)([...options, ...nothing, schema]);
  writeFileSync(script, made);
  // The types are read off the comments, which the page does not need.
  writeFileSync(types, await promisify(pbts.main)([script]));
  writeFileSync(script, readFileSync(script, "utf8").replace(/\/\*\*[\s\S]*?\*\/\n?/g, ""));
}
