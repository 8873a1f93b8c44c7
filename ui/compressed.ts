import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Fonts and the like are compressed already. */
const WORTH = /\.(js|css|svg|json|txt)$/;
const SMALLEST = 1024;
const BEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Puts a `.br` and a `.gz` beside each file, so that the API never compresses anything itself. */
export function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle({ dir }) {
      if (dir === undefined) return;
      for (const name of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
        if (WORTH.test(name) && !name.startsWith(".")) compress(join(dir, name));
      }
    },
  };
}

function compress(file: string): void {
  const body = readFileSync(file);
  if (body.length < SMALLEST) return;
  writeFileSync(`${file}.br`, brotliCompressSync(body, BEST));
  writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }));
}
