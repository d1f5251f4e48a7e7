// Makes what the page knows of live/wire/protocol.proto: src/core/protocol.js decodes scenes and states, which are
// binary; src/core/messages.d.ts has the types of orders, answers and events, which are JSON.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import protobuf from "protobufjs";
import pbjs from "protobufjs-cli/pbjs.js";
import pbts from "protobufjs-cli/pbts.js";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const tool = fileURLToPath(import.meta.url);
const schema = join(web, "../live/wire/protocol.proto");
const script = join(web, "src/core/protocol.js");
const types = join(web, "src/core/protocol.d.ts");
const messages = join(web, "src/core/messages.d.ts");

const changed = (file) => {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
};

async function makeDecoder() {
  const options = ["-t", "static-module", "-w", "es6", "--keep-case", "--force-number"];
  const nothing = ["--no-create", "--no-encode", "--no-verify", "--no-convert", "--no-delimited", "--no-service"];
  const made = await promisify(pbjs.main)([...options, ...nothing, schema]);
  writeFileSync(script, made);
  // The types are read off the comments, which the page does not need.
  writeFileSync(types, await promisify(pbts.main)([script]));
  writeFileSync(script, readFileSync(script, "utf8").replace(/\/\*\*[\s\S]*?\*\/\n?/g, ""));
}

// ---- Types of what is JSON -----------------------------------------------------------------------------------------

const binary = ["Scene", "State", "Ground"];
const scalars = { string: "string", bool: "boolean" }; // all others are numbers

function typeOf(field) {
  const one = field.resolvedType ? nameOf(field.resolvedType) : (scalars[field.type] ?? "number");
  if (field.map) return `Record<string, ${one}>`;
  return field.repeated ? `${one}[]` : one;
}

// Nested types are named after what they are in: RemoveKind.
function nameOf(type) {
  return type.parent instanceof protobuf.Type ? nameOf(type.parent) + type.name : type.name;
}

// The server leaves out only what is `optional`; the page may also leave out lists.
function properties(fields, isSent) {
  const mayMiss = (field) => field.options?.proto3_optional || (isSent && (field.repeated || field.map));
  const about = (field) => (field.comment ? `  /** ${field.comment.replace(/\n/g, " ")} */\n` : "");
  return fields.map((field) => `${about(field)}  ${field.name}${mayMiss(field) ? "?" : ""}: ${typeOf(field)};\n`).join("");
}

function declaration(type, isSent) {
  const about = type.comment ? `/** ${type.comment.replace(/\n/g, " ")} */\n` : "";
  const name = nameOf(type);
  if (type instanceof protobuf.Enum) return `${about}export type ${name} = ${Object.keys(type.values).map((v) => `"${v}"`).join(" | ")};\n`;
  const choices = type.oneofsArray.filter((oneof) => !oneof.isProto3Optional);
  const own = type.fieldsArray.filter((field) => !choices.includes(field.partOf));
  const body = properties(own, isSent);
  if (choices.length === 0) return body ? `${about}export interface ${name} {\n${body}}\n` : `${about}export type ${name} = Record<string, never>;\n`;
  // Each kind is a type of its own, so that `"grab" in order` tells them apart.
  const kinds = choices[0].fieldsArray.filter((field) => !binary.includes(field.type)).map((field) => `\n  | { ${field.name}: ${typeOf(field)} }`);
  if (own.length === 0) return `${about}export type ${name} =${kinds.join("")};\n`;
  return `export type ${name}Kind =${kinds.join("")};\n${about}export type ${name} = {\n${body}} & ${name}Kind;\n`;
}

function reachable(type, found = new Set()) {
  if (!type || found.has(type) || binary.includes(type.name)) return found;
  found.add(type);
  for (const field of type.fieldsArray ?? []) reachable(field.resolvedType, found);
  return found;
}

function makeMessageTypes() {
  const root = new protobuf.Root();
  protobuf.parse(readFileSync(schema, "utf8"), root, { keepCase: true, alternateCommentMode: true });
  root.resolveAll();
  const wire = root.lookup("bristle.wire");
  const sent = reachable(wire.lookupType("Order"));
  const all = new Set([...sent, ...reachable(wire.lookupType("FromServer")), ...reachable(wire.lookupType("Gallery"))]);
  const text = [...all].map((type) => declaration(type, sent.has(type)));
  writeFileSync(messages, `// Made from live/wire/protocol.proto by tools/make-protocol.mjs.\n\n${text.join("\n")}`);
}

if (Math.min(changed(script), changed(types), changed(messages)) < Math.max(changed(schema), changed(tool))) {
  await makeDecoder();
  makeMessageTypes();
}
