import { Alert, Group, Paper, SimpleGrid, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconHourglass } from "@tabler/icons-react";
import type { OutboxStats } from "@/features/outbox/schemas";
import type { IntentStatus } from "@/kit/outbox/statuses";
import { meaning } from "@/kit/theme";
import { lasting } from "@/kit/time";

interface Props {
  stats: OutboxStats;
  onChoose: (status: IntentStatus) => void;
}

const TILES: readonly (readonly [IntentStatus, string])[] = [
  ["pending", "Waiting"],
  ["processing", "In hand"],
  ["failed", "Retrying"],
  ["dead", "Dead"],
];

/** How the outbox stands: how much of what, how late, and what nobody serves. */
export function Standing({ stats, onChoose }: Props) {
  const late = Math.max(0, ...stats.lag.map((lag) => lag.lagSeconds));
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 2, sm: 5 }} spacing="sm">
        {TILES.map(([status, label]) => (
          <UnstyledButton key={status} onClick={() => onChoose(status)}>
            <Tile label={label} value={counted(stats, status)} bad={status === "dead"} />
          </UnstyledButton>
        ))}
        <Tile label="Behind" value={late < 1 ? "0 s" : lasting(late * 1000)} bad={late > 60} />
      </SimpleGrid>
      {stats.kindsWithoutWorker.length > 0 && (
        <Alert color={meaning.busy} icon={<IconHourglass size={18} />} title="Waiting for a handler">
          No running worker handles {stats.kindsWithoutWorker.join(", ")}. Nothing is lost: it waits for one
          that does.
        </Alert>
      )}
      {stats.blockedStreams.map((blocked) => (
        <Alert key={blocked.stream} color="orange" title={`${blocked.waiting} wait behind a dead letter`}>
          {blocked.stream} stands still. Try the dead letter again, or cancel it, and the rest goes on.
        </Alert>
      ))}
    </Stack>
  );
}

function Tile({ label, value, bad }: { label: string; value: number | string; bad: boolean }) {
  const alarming = bad && value !== 0 && value !== "0 s";
  return (
    <Paper withBorder p="sm" bg="var(--panel-background)">
      <Group justify="space-between" align="baseline" gap={4}>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Text fw={640} size="lg" className="numbers" {...(alarming ? { c: "red" } : {})}>
          {typeof value === "number" ? value.toLocaleString() : value}
        </Text>
      </Group>
    </Paper>
  );
}

function counted(stats: OutboxStats, status: IntentStatus): number {
  return stats.counts.filter((count) => count.status === status).reduce((sum, { count }) => sum + count, 0);
}
