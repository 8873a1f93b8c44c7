import { Badge, Tooltip } from "@mantine/core";
import { useLiveState } from "@/kit/live/live";
import type { LiveState } from "@/kit/live/socket";
import { meaning, type Meaning } from "@/kit/theme";

const SHOWN: Record<LiveState, { label: string; means: Meaning; tells: string }> = {
  live: { label: "Live", means: "good", tells: "What changes appears here by itself." },
  connecting: { label: "Connecting", means: "waiting", tells: "On the way." },
  away: {
    label: "Reconnecting",
    means: "warning",
    tells: "The server cannot be reached; we try again by ourselves.",
  },
  refused: { label: "Signed out", means: "bad", tells: "The session has ended. Reload to sign in again." },
};

/** Whether what is on the page is what is. */
export function Connection() {
  const { label, means, tells } = SHOWN[useLiveState()];
  return (
    <Tooltip label={tells} withArrow>
      <Badge variant="dot" color={meaning[means]} role="status" tt="none" fw={500}>
        {label}
      </Badge>
    </Tooltip>
  );
}
