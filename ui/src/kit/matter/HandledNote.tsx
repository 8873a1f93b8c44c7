import { Group, Stack, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import classes from "@/kit/matter/Matter.module.css";
import type { Handled } from "@/kit/matter/schemas";
import { handledInWords } from "@/kit/matter/words";
import { fully, showsTheSame } from "@/kit/time";

interface Props {
  handled: Handled;
  /** The person who looks; null where they are none. */
  me: string | null;
  /** Of the place that it is about. */
  zone: string | null;
  /** That one acted, too, and was not the first. */
  late?: boolean;
}

/** How a matter was settled: by whom, when and how. */
export function HandledNote({ handled, me, zone, late = false }: Props) {
  const { note, proposedTime } = handled;
  return (
    <Stack gap={2} className={classes.handled ?? ""}>
      <Group gap={6} wrap="nowrap" align="flex-start">
        <IconCheck size={16} aria-hidden className={classes.sign ?? ""} />
        <Text size="sm" fw={560}>
          {handledInWords(handled, me)}
        </Text>
      </Group>
      {proposedTime !== null && (
        <Text size="sm" className="numbers">
          Proposed: {fully(proposedTime)}
          {zone !== null && !showsTheSame(proposedTime, zone) && ` (${fully(proposedTime, zone)} in ${zone})`}
        </Text>
      )}
      {note !== null && (
        <Text size="sm" className={classes.said ?? ""}>
          “{note}”
        </Text>
      )}
      {late && (
        <Text size="sm" c="dimmed">
          Somebody was quicker: what you pressed has changed nothing.
        </Text>
      )}
    </Stack>
  );
}
