import { Stack, Text } from "@mantine/core";
import { lastingFrom } from "@/features/events/logic/words";
import type { TidingsEvent } from "@/features/events/schemas";
import { showsTheSame } from "@/kit/time";

type Timed = Pick<TidingsEvent, "startsAt" | "endsAt" | "timezone">;

/** When it is, by the viewer's clock; and by its own where that shows something else. */
export function Times({ event: { startsAt, endsAt, timezone } }: { event: Timed }) {
  return (
    <Stack gap={0}>
      <Text size="sm" component="span" className="numbers">
        <time dateTime={startsAt}>{lastingFrom(startsAt, endsAt)}</time>
      </Text>
      {!showsTheSame(startsAt, timezone) && (
        <Text size="xs" c="dimmed" component="span" className="numbers">
          {lastingFrom(startsAt, endsAt, timezone)} in {timezone}
        </Text>
      )}
    </Stack>
  );
}
