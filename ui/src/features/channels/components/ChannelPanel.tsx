import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import classes from "@/features/channels/components/ProviderList.module.css";
import { ProviderRow } from "@/features/channels/components/ProviderRow";
import { capital, channelInShort } from "@/features/channels/logic/words";
import type { Provider } from "@/features/channels/schemas";
import { channelIcons, channelWords, type Channel } from "@/kit/channels";
import { Panel } from "@/kit/Panel";

interface Props {
  channel: Channel;
  /** In the order in which they are used. */
  providers: readonly Provider[];
}

/** One channel: what it sends through, the first of them first. */
export function ChannelPanel({ channel, providers }: Props) {
  const Sign = channelIcons[channel];
  return (
    <Panel>
      <Group className={classes.head ?? ""} justify="space-between" wrap="nowrap">
        <Group gap={10} wrap="nowrap" miw={0}>
          <Sign size={19} stroke={1.6} aria-hidden />
          <Stack gap={0} miw={0}>
            <Title order={2} size="h5">
              {capital(channelWords[channel])}
            </Title>
            <Text size="xs" c="dimmed">
              {channelInShort(channel, providers)}
            </Text>
          </Stack>
        </Group>
        {channel !== "websocket" && (
          <Button
            component={Link}
            to={`/channels/new?channel=${channel}`}
            size="xs"
            flex="none"
            variant="default"
            leftSection={<IconPlus size={14} />}
            aria-label={`Add a provider for ${channelWords[channel]}`}
          >
            Add
          </Button>
        )}
      </Group>
      <ul className={classes.list}>
        {providers.map((provider, place) => (
          <ProviderRow key={provider.id} provider={provider} place={place} among={providers.length} />
        ))}
      </ul>
    </Panel>
  );
}
