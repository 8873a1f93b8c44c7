import { useCallback, useState } from "react";
import { pulseSchema, type Pulse } from "@/features/overview/schemas";
import { withPulse, type Second } from "@/features/overview/seconds";
import { useLiveMessage } from "@/kit/live/live";

/** What the socket tells, a second at a time; and how it stands now. */
export function useSeconds(): { seconds: readonly Second[]; latest: Pulse | null } {
  const [seconds, setSeconds] = useState<readonly Second[]>([]);
  const [latest, setLatest] = useState<Pulse | null>(null);
  const heard = useCallback((pulse: Pulse) => {
    setSeconds((before) => withPulse(before, pulse));
    setLatest(pulse);
  }, []);
  useLiveMessage("pulse", pulseSchema, heard);
  return { seconds, latest };
}
