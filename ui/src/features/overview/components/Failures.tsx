import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Failure } from "@/features/overview/schemas";
import { Panel } from "@/kit/Panel";
import { When } from "@/kit/When";

/** What failed last, and why. */
export function Failures({ failures }: { failures: readonly Failure[] }) {
  return (
    <Panel p="md" h="100%">
      <Title order={2} size="h5" mb="sm">
        What failed last
      </Title>
      {failures.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing. When something does, its reason is here.
        </Text>
      ) : (
        <Stack gap="sm">
          {failures.map((failure) => (
            <Shown key={failure.id} failure={failure} />
          ))}
        </Stack>
      )}
    </Panel>
  );
}

function Shown({ failure }: { failure: Failure }) {
  const to =
    failure.what === "intent"
      ? `/outbox?status=dead&intent=${failure.id}`
      : `/activity/${failure.factId ?? ""}`;
  return (
    <Stack gap={0}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Anchor component={Link} to={to} size="sm" fw={560} truncate>
          {failure.what === "intent" ? failure.name : `a message by ${failure.name}`}
        </Anchor>
        <Text size="xs" c="dimmed" flex="none">
          <When at={failure.at} />
        </Text>
      </Group>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {failure.why ?? "The reason is for who may read it."}
      </Text>
    </Stack>
  );
}
