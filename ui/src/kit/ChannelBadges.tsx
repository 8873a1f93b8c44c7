import { Badge, Group } from "@mantine/core";
import { channelIcons, channelWords, type Channel } from "@/kit/channels";

/** Channels in a row, each with its sign and its word. */
export function ChannelBadges({ channels }: { channels: readonly Channel[] }) {
  return (
    <Group gap={4}>
      {channels.map((channel) => (
        <ChannelBadge key={channel} channel={channel} />
      ))}
    </Group>
  );
}

export function ChannelBadge({ channel }: { channel: Channel }) {
  const Sign = channelIcons[channel];
  return (
    <Badge variant="default" tt="none" fw={500} leftSection={<Sign size={13} stroke={1.6} aria-hidden />}>
      {channelWords[channel]}
    </Badge>
  );
}
