import { expect, it } from "vitest";
import { rowsIn, sizeInWords } from "@/features/people/logic/lines";

it("counts the rows below the header, with or without a line feed at the end", async () => {
  for (const [text, rows] of [
    ["", 0],
    ["name", 0],
    ["name\n", 0],
    ["name\nSomebody", 1],
    ["name\r\nSomebody\r\nSomebody else\r\n", 2],
  ] as const)
    expect(await rowsIn(new Blob([text]))).toBe(rows);
});

it("says how large a file is", () => {
  expect([320, 48_200, 3_400_000, 25_000_000].map(sizeInWords)).toEqual([
    "0.3 kB",
    "48 kB",
    "3.4 MB",
    "25 MB",
  ]);
});
