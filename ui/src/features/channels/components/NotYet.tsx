import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { channelIcons, channelWords, type Channel } from "@/kit/channels";
import { Panel } from "@/kit/Panel";

/** Channels that have no provider. */
export function NotYet({ channels }: { channels: readonly Channel[] }) {
  return (
    <Panel p="md">
      <Stack gap="sm">
        <Stack gap={2}>
          <Title order={2} size="h5">
            Not set up
          </Title>
          <Text size="sm" c="dimmed">
            With the first message each of them gets one that is built in. Choose one to add your own.
          </Text>
        </Stack>
        <Group gap="xs">
          {channels.map((channel) => (
            <Add key={channel} channel={channel} />
          ))}
        </Group>
      </Stack>
    </Panel>
  );
}

function Add({ channel }: { channel: Channel }) {
  const Sign = channelIcons[channel];
  return (
    <Button
      component={Link}
      to={`/channels/new?channel=${channel}`}
      variant="default"
      size="sm"
      leftSection={<Sign size={16} stroke={1.6} aria-hidden />}
    >
      {channelWords[channel]}
    </Button>
  );
}
