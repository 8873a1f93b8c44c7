const LINE_FEED = 10;

/** How many rows a file seems to have below its header. A cell may hold a line of its own: no more than a guess. */
export async function rowsIn(file: Blob): Promise<number> {
  let feeds = 0;
  let last = LINE_FEED;
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const byte of value) if (byte === LINE_FEED) feeds += 1;
    last = value.at(-1) ?? last;
  }
  const lines = last === LINE_FEED ? feeds : feeds + 1;
  return Math.max(0, lines - 1);
}

/** "48 kB": the size of a file as one says it. */
export function sizeInWords(bytes: number): string {
  const [unit, size] = bytes < 1e6 ? ["kB", bytes / 1e3] : ["MB", bytes / 1e6];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
