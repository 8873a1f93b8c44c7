import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Health } from "@/features/overview/schemas";
import { standingOf } from "@/kit/delivery/standing";
import { Panel } from "@/kit/Panel";
import { StatusBadge } from "@/kit/StatusBadge";
import { When } from "@/kit/When";
import { useMay } from "@/session/session";

/** What messages go through, and how it feels. */
export function Providers({ providers }: { providers: readonly Health[] }) {
  const may = useMay("admin");
  return (
    <Panel p="md" h="100%">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          Channels
        </Title>
        {may && (
          <Anchor component={Link} to="/channels" size="sm">
            All of them
          </Anchor>
        )}
      </Group>
      {providers.length === 0 ? (
        <Text size="sm" c="dimmed">
          A channel appears here with its first message. Until you set up a provider it goes to the sandbox.
        </Text>
      ) : (
        <Stack gap="sm">
          {providers.map((provider) => (
            <Provider key={provider.id} provider={provider} />
          ))}
        </Stack>
      )}
    </Panel>
  );
}

function Provider({ provider }: { provider: Health }) {
  const [status, means] = standingOf(provider);
  const may = useMay("admin");
  return (
    <Stack gap={0}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" truncate>
          <b>{provider.channel}</b> by{" "}
          {may ? (
            <Anchor component={Link} to={`/channels/${provider.id}`} size="sm" underline="always">
              {provider.name}
            </Anchor>
          ) : (
            provider.name
          )}
        </Text>
        <StatusBadge status={status} means={means} />
      </Group>
      <Text size="xs" c="dimmed" className="numbers">
        {provider.sent.toLocaleString()} sent, {provider.failed.toLocaleString()} failed in the last hour
      </Text>
      {provider.circuit !== "closed" && provider.lastError !== null && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {provider.lastError}
          {provider.lastErrorAt !== null && (
            <>
              , <When at={provider.lastErrorAt} />
            </>
          )}
        </Text>
      )}
    </Stack>
  );
}
