import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { exactly, fromNow, viewersZone } from "@/kit/time";

const EVERY = 15_000;

/** A moment as one thinks of it ("3min ago"), and on hover exactly, in the viewer's own zone. */
export function When({ at }: { at: string }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), EVERY);
    return () => clearInterval(timer);
  }, []);
  return (
    <Tooltip label={`${exactly(at)}, ${viewersZone()}`} withArrow>
      <time dateTime={at}>{fromNow(at)}</time>
    </Tooltip>
  );
}
