import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Files that the network would carry as they are, besides those that are packed already. */
const WORTH = /\.(js|css|svg|json|txt)$/;
const SMALLEST = 1024;
const built = new URL("../src/tidings/api/ui/", import.meta.url);

for (const name of readdirSync(built, { recursive: true }).filter((path) => WORTH.test(path))) {
  const body = readFileSync(new URL(name, built));
  if (body.length < SMALLEST || name.startsWith(".")) continue;
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  writeFileSync(new URL(`${name}.br`, built), brotliCompressSync(body, best));
  writeFileSync(new URL(`${name}.gz`, built), gzipSync(body, { level: 9 }));
}
