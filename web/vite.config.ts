import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// The page asks only for pictures that are there.
const gallery = fileURLToPath(new URL("public/gallery", import.meta.url));
const pictures = existsSync(gallery) ? readdirSync(gallery).map((file) => file.replace(/\.webp$/, "")) : [];

export default defineConfig({
  base: "./",
  define: { __PICTURES__: JSON.stringify(pictures) },
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    outDir: process.env["BRISTLE_WEB_OUT"] ?? "dist",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 1200,
  },
  // `npx vite` beside a running `bristle view --port 8080`.
  server: { proxy: { "/api": "http://127.0.0.1:8080", "/live": { target: "ws://127.0.0.1:8080", ws: true } } },
  test: { include: ["src/**/*.test.ts"] },
});
