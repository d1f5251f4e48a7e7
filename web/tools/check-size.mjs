// The page must be less than 400 kB for a browser to load, compressed as it is sent; pictures of the gallery come
// when they are looked at.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const most = 400_000; // bytes
const folder = process.argv[2];
const sizes = readdirSync(folder, { recursive: true })
  .filter((file) => file.endsWith(".gz"))
  .map((file) => [statSync(join(folder, file)).size, file]);
for (const [size, file] of sizes) console.log(`${size.toString().padStart(8)}  ${file}`);
const total = sizes.reduce((sum, [size]) => sum + size, 0);
console.log(`${total.toString().padStart(8)}  in all, at most ${most}`);
if (sizes.length === 0 || total >= most) process.exit(1);
