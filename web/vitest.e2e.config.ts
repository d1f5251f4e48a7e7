// Tests in a real browser: `npm run test:e2e`, after bristle and the page are built. BRISTLE says where the program
// is, BRISTLE_PAGES where the page is; else those of the release build.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/e2e/*.test.ts"],
    fileParallelism: false,
    retry: 1, // without a graphics card a picture can take seconds, and a click may come before what it is for
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
