// What takes minutes in a real browser: `npm run test:nightly`. BRISTLE, BRISTLE_PAGES as for test:e2e; BRISTLE_MINUTES, BRISTLE_SAVES for less.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/nightly/*.test.ts"],
    fileParallelism: false,
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
  },
});
