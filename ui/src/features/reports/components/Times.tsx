import { Stack, Text } from "@mantine/core";
import { fully, showsTheSame } from "@/kit/time";

/** A time by the viewer's clock; and by the schedule's where that shows something else. */
export function Times({ at, zone }: { at: string; zone: string }) {
  return (
    <Stack gap={0}>
      <Text size="sm" component="span" className="numbers">
        <time dateTime={at}>{fully(at)}</time>
      </Text>
      {!showsTheSame(at, zone) && (
        <Text size="xs" c="dimmed" component="span" className="numbers">
          {fully(at, zone)} in {zone}
        </Text>
      )}
    </Stack>
  );
}
