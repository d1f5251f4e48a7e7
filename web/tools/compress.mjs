// Puts a .gz beside every text file of the built page, which the server sends to browsers that take it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const folder = process.argv[2];
for (const entry of readdirSync(folder, { recursive: true })) {
  if (!/\.(html|js|css|svg)$/.test(entry)) continue;
  const file = join(folder, entry);
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
}
