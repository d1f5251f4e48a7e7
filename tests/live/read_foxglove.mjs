// Reads what `bristle export --format foxglove` writes as Foxglove does, by the schemas in the file alone, with @mcap/core, fzstd and
// protobufjs, and says what is in it:
//
//     node read_foxglove.mjs FOLDER_WITH_NODE_MODULES FILE
//
// One JSON object: schemas by topic, and all messages by topic, with their log times in s.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const require = createRequire(join(resolve(process.argv[2]), "package.json"));
const { McapIndexedReader } = require("@mcap/core");
const { decompress } = require("fzstd");
const protobuf = require("protobufjs");
const { FileDescriptorSet } = require("protobufjs/ext/descriptor");

const bytes = new Uint8Array(readFileSync(process.argv[3]));
const reader = await McapIndexedReader.Initialize({
  decompressHandlers: { zstd: (packed, size) => decompress(packed, new Uint8Array(Number(size))) },
  readable: {
    size: async () => BigInt(bytes.length),
    read: async (offset, length) => new Uint8Array(bytes.subarray(Number(offset), Number(offset + length))),
  },
});
const schemas = {};
const messages = {};
const types = new Map();
for (const channel of reader.channelsById.values()) {
  const schema = reader.schemasById.get(channel.schemaId);
  if (schema.encoding !== "protobuf" || channel.messageEncoding !== "protobuf") throw new Error(`${channel.topic}: no protobuf`);
  schemas[channel.topic] = schema.name;
  messages[channel.topic] = [];
  types.set(channel.id, protobuf.Root.fromDescriptor(FileDescriptorSet.decode(schema.data)).lookupType(schema.name));
}
for await (const message of reader.readMessages({ validateCrcs: true })) {
  const type = types.get(message.channelId);
  const decoded = type.toObject(type.decode(message.data), { longs: Number, enums: String, arrays: true });
  messages[reader.channelsById.get(message.channelId).topic].push({ at: Number(message.logTime) * 1e-9, ...decoded });
}
console.log(JSON.stringify({ schemas, messages }));
