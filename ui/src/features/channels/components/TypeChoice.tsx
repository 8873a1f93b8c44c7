import { Group, Radio, Select, SimpleGrid, Stack, Text } from "@mantine/core";
import classes from "@/features/channels/components/TypeChoice.module.css";
import { typeWords } from "@/features/channels/logic/words";
import type { ProviderType } from "@/features/channels/schemas";
import { channels, channelWords, type Channel } from "@/kit/channels";
import { Panel } from "@/kit/Panel";

interface Props {
  types: readonly ProviderType[];
  channel: Channel;
  type: string;
  onChannel: (channel: Channel) => void;
  onType: (type: string) => void;
}

/** Which channel, and through what. */
export function TypeChoice({ types, channel, type, onChannel, onType }: Props) {
  const configurable = channels.filter((each) => each !== "websocket");
  return (
    <Panel p="md">
      <Stack>
        <Select
          label="Channel"
          data={configurable.map((value) => ({ value, label: channelWords[value] }))}
          value={channel}
          allowDeselect={false}
          maw={280}
          onChange={(chosen) => chosen !== null && onChannel(chosen)}
        />
        <Radio.Group label="Through" value={type} onChange={onType}>
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm" mt={6}>
            {types.map((each) => (
              <OneType key={each.type} type={each.type} />
            ))}
          </SimpleGrid>
        </Radio.Group>
      </Stack>
    </Panel>
  );
}

function OneType({ type }: { type: string }) {
  const { name, about } = typeWords(type);
  return (
    <Radio.Card value={type} className={classes.card ?? ""} aria-label={`${name}. ${about}`}>
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Radio.Indicator mt={2} />
        <Stack gap={2} miw={0}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {about}
          </Text>
        </Stack>
      </Group>
    </Radio.Card>
  );
}
