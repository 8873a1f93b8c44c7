import { Chip, Group, Input } from "@mantine/core";
import { channels, channelWords, type Channel } from "@/kit/channels";

interface Props {
  value: Channel[];
  error: string | undefined;
  onChange: (channels: Channel[]) => void;
}

/** Over which channels; any number of them. */
export function ChannelsField({ value, error, onChange }: Props) {
  return (
    <Input.Wrapper error={error}>
      <Chip.Group
        multiple
        value={value}
        onChange={(chosen) => onChange(channels.filter((each) => chosen.includes(each)))}
      >
        <Group gap="xs" role="group" aria-label="Channels" mb={error === undefined ? 0 : 6}>
          {channels.map((channel) => (
            <Chip key={channel} value={channel} size="sm" variant="outline">
              {channelWords[channel]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}
