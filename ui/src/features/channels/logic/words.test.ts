import { describe, expect, it } from "vitest";
import { channelInShort, limitsInWords } from "@/features/channels/logic/words";

const provider = (type: string, name = "Post", enabled = true, builtIn = false) => ({
  type,
  name,
  enabled,
  builtIn,
});

describe("what becomes of a message over a channel", () => {
  it.each([
    [[provider("smtp"), provider("resend")], "Goes out through Post."],
    [[provider("sandbox", "Look first")], "By Look first messages are kept in the sandbox."],
    [
      [provider("sandbox", "sandbox", true, true)],
      "No provider of your own yet: messages are kept in the sandbox.",
    ],
    [[provider("none", "none", true, true)], "No provider of your own yet: messages are refused."],
    [[provider("smtp", "Post", false)], "All are turned off: what is to be sent waits."],
  ])("is said by the first of its providers", (providers, said) => {
    expect(channelInShort("email", providers)).toBe(said);
  });
});

describe("limits in words", () => {
  it("are those that there are", () => {
    expect(limitsInWords({ rate: { count: 10, period: "1s" }, concurrency: 4 })).toBe(
      "at most 10 in 1s, 4 at a time",
    );
    expect(limitsInWords({ rate: null, concurrency: 4 })).toBe("at most 4 at a time");
    expect(limitsInWords({ rate: null, concurrency: null })).toBe("no limits");
  });
});
