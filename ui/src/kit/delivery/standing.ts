import type { Meaning } from "@/kit/theme";

interface Sending {
  enabled: boolean;
  circuit: "closed" | "open" | "trying";
}

/** How a provider feels, and what the colour of that is. */
export function standingOf({ enabled, circuit }: Sending): readonly [string, Meaning] {
  if (!enabled) return ["turned off", "waiting"];
  if (circuit === "open") return ["resting after failures", "bad"];
  if (circuit === "trying") return ["trying again", "warning"];
  return ["well", "good"];
}
