// Reads recordings by @mcap/core, fzstd and protobufjs, which share no code with Bristle, and says what is in them:
//
//     node read_recording.mjs FOLDER_WITH_NODE_MODULES FILE...
//
// One JSON object a file. Every checksum is compared; the first thing that is wrong ends it with exit code 1.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const require = createRequire(join(resolve(process.argv[2]), "package.json"));
const { McapIndexedReader, McapStreamReader } = require("@mcap/core");
const { crc32 } = createRequire(require.resolve("@mcap/core"))("@foxglove/crc");
const { decompress } = require("fzstd");
const protobuf = require("protobufjs");
require("protobufjs/ext/descriptor");

const decompressHandlers = {
  zstd: (bytes, size) => decompress(bytes, new Uint8Array(Number(size))),
};

function demand(condition, what) {
  if (!condition) throw new Error(what);
}

// What a reader without the index sees.
function streamed(bytes) {
  const reader = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  const found = { messages: 0, chunks: 0, attachments: 0, dataEnds: 0 };
  for (let at = 0; at < bytes.length; at += 65536) {
    reader.append(bytes.subarray(at, at + 65536));
    for (let record; (record = reader.nextRecord()); ) {
      if (record.type === "Message") ++found.messages;
      if (record.type === "Attachment") ++found.attachments;
      if (record.type === "MessageIndex") ++found.chunks;
      if (record.type === "DataEnd") ++found.dataEnds;
    }
  }
  demand(reader.done(), "the stream does not end with a footer");
  return found;
}

async function indexed(bytes) {
  const reader = await McapIndexedReader.Initialize({
    decompressHandlers,
    readable: {
      size: async () => BigInt(bytes.length),
      read: async (offset, length) =>
        new Uint8Array(bytes.subarray(Number(offset), Number(offset + length))),
    },
  });
  demand(reader.header.library === "bristle", `library ${reader.header.library}`);
  demand(reader.footer.summaryCrc !== 0, "no checksum of the summary");
  demand(reader.dataSectionCrc !== 0, "no checksum of the data");
  demand(
    crc32(bytes.subarray(0, Number(reader.dataEndOffset))) === reader.dataSectionCrc,
    "the checksum of the data is wrong",
  );
  return reader;
}

async function describe(file) {
  const bytes = new Uint8Array(readFileSync(file));
  const reader = await indexed(bytes);
  const decoders = new Map();
  for (const channel of reader.channelsById.values()) {
    const schema = reader.schemasById.get(channel.schemaId);
    demand(schema.encoding === "protobuf", `schema encoding ${schema.encoding}`);
    demand(channel.messageEncoding === "protobuf", `encoding ${channel.messageEncoding}`);
    const descriptors = require("protobufjs/ext/descriptor").FileDescriptorSet.decode(schema.data);
    decoders.set(channel.id, protobuf.Root.fromDescriptor(descriptors).lookupType(schema.name));
  }

  const counts = {};
  let messages = 0;
  let before = 0n;
  let last = { step: 0, time: 0, poses: 0 };
  let hash = "";
  for await (const message of reader.readMessages({ validateCrcs: true })) {
    const { topic } = reader.channelsById.get(message.channelId);
    demand(message.sequence === (counts[topic] ?? 0), `${topic}: sequence ${message.sequence}`);
    counts[topic] = (counts[topic] ?? 0) + 1;
    ++messages;
    demand(message.logTime >= before, `${topic}: log time goes back`);
    before = message.logTime;
    const decoded = decoders.get(message.channelId).decode(message.data);
    if (topic === "/state")
      last = { step: Number(decoded.step), time: decoded.time, poses: decoded.poses.length };
    if (topic === "/keyframe") hash = BigInt(decoded.hash.toString()).toString(16).padStart(16, "0");
  }
  const { statistics } = reader;
  demand(Number(statistics.messageCount) === messages, "statistics: messages");
  demand(statistics.chunkCount === reader.chunkIndexes.length, "statistics: chunks");
  for (const [id, count] of statistics.channelMessageCounts)
    demand(Number(count) === counts[reader.channelsById.get(id).topic], "statistics: a channel");

  const attachments = [];
  for await (const attachment of reader.readAttachments({ validateCrcs: true }))
    attachments.push(attachment.name);
  demand(statistics.attachmentCount === attachments.length, "statistics: attachments");
  const metadata = {};
  for await (const record of reader.readMetadata({ name: "bristle" }))
    for (const [key, value] of record.metadata) metadata[key] = value;

  const stream = streamed(bytes);
  demand(stream.messages === messages, "the stream has other messages than the index");
  demand(stream.attachments === attachments.length, "the stream has other attachments");
  demand(stream.dataEnds === 1, "no end of the data");
  return { file, counts, chunks: reader.chunkIndexes.length, last, hash, attachments, metadata };
}

for (const file of process.argv.slice(3)) {
  try {
    console.log(JSON.stringify(await describe(file)));
  } catch (error) {
    console.error(`${file}: ${error.message}`);
    process.exit(1);
  }
}
