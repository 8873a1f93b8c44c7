import { expect, it } from "vitest";
import { idFrom } from "@/features/people/logic/ids";

it("is made of the words of a name", () => {
  expect(["The kitchen", " Café, upstairs ", "No. 7", ""].map(idFrom)).toEqual([
    "the-kitchen",
    "cafe-upstairs",
    "no-7",
    "",
  ]);
});
