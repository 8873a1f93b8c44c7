import { Group, Text, Timeline } from "@mantine/core";
import { OutcomeBadge } from "@/kit/delivery/badges";
import type { Attempt } from "@/kit/delivery/schemas";
import { meaning } from "@/kit/theme";
import { exactly, lasting } from "@/kit/time";

const COLOURS: Partial<Record<Attempt["outcome"], string>> = {
  sent: meaning.good,
  rejected: meaning.bad,
  expired: meaning.bad,
};

/** Every attempt, and every decision not to make one, the first first. */
export function Attempts({ of: history }: { of: readonly Attempt[] }) {
  if (history.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing was tried yet.
      </Text>
    );
  }
  return (
    <Timeline bulletSize={14} lineWidth={2} active={history.length}>
      {history.map((attempt) => (
        <Timeline.Item
          key={attempt.endedAt}
          color={COLOURS[attempt.outcome] ?? meaning.warning}
          title={<Heading attempt={attempt} />}
        >
          <Text size="sm">{attempt.reason ?? attempt.receipt ?? "No more was said."}</Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function Heading({ attempt }: { attempt: Attempt }) {
  return (
    <Group gap="xs">
      <OutcomeBadge outcome={attempt.outcome} />
      <Text size="xs" c="dimmed" component="span">
        {exactly(attempt.endedAt)}
        {attempt.tookSeconds !== null && `, took ${lasting(attempt.tookSeconds * 1000)}`}
        {attempt.providerName !== null && `, ${attempt.providerName}`}
      </Text>
    </Group>
  );
}
