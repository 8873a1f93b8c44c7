import react from "@vitejs/plugin-react";
import { fileURLToPath, URL } from "node:url";
import { defineConfig } from "vitest/config";
import { compressed } from "./compressed.ts";

/** Where the API is while the UI is being worked on: `TIDINGS_API_URL=… npm run dev`. */
const api = process.env.TIDINGS_API_URL ?? "http://127.0.0.1:8400";

export default defineConfig({
  plugins: [react(), compressed()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    outDir: "../src/tidings/api/ui",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the policy lets in no data: URL but images
    manifest: true,
    chunkSizeWarningLimit: 1000, // in kB before compression; what the first load weighs is tested
  },
  server: { proxy: { "/v1": { target: api, ws: true }, "/frame": api } },
  test: { environment: "node", include: ["src/**/*.test.ts", "src/**/*.test.tsx"] },
});
