import { Button, Group, Stack, Text } from "@mantine/core";
import { userTypeInWords } from "@/features/reservations/logic/words";
import { useSetUsualChannels } from "@/features/reservations/operations/set-usual-channels";
import type { UsualChannels } from "@/features/reservations/schemas";
import { ChannelBadges } from "@/kit/ChannelBadges";
import { Row, Rows } from "@/kit/Rows";

interface Props {
  all: readonly UsualChannels[];
  onOpen: (userType: string) => void;
}

export function UsualChannelsList({ all, onOpen }: Props) {
  return (
    <Rows label="Channels by type" columns="minmax(0, 0.8fr) minmax(0, 1.6fr) minmax(0, 1fr)" deeds="64px">
      {all.map((usual) => (
        <One key={usual.userType} usual={usual} onOpen={onOpen} />
      ))}
    </Rows>
  );
}

function One({ usual, onOpen }: { usual: UsualChannels; onOpen: Props["onOpen"] }) {
  const { userType, channels, urgent, own } = usual;
  const set = useSetUsualChannels(userType);
  const name = userTypeInWords(userType);
  return (
    <Row
      deeds={
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Edit ${name}`}
          onClick={() => onOpen(userType)}
        >
          Edit
        </Button>
      }
    >
      <Stack gap={0} align="flex-start">
        <Text fw={600} size="sm">
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {own ? "as you have said" : "as usual"}
        </Text>
        {own && (
          <Button
            variant="subtle"
            size="compact-xs"
            ml={-8}
            loading={set.isPending}
            aria-label={`Reset to usual: ${name}`}
            onClick={() => set.mutate(null)}
          >
            Reset to usual
          </Button>
        )}
      </Stack>
      <ChannelBadges channels={channels} />
      <Group gap={6}>
        <Text size="xs" c="dimmed">
          {urgent.length === 0 ? "the same when it is critical" : "when it is critical also"}
        </Text>
        <ChannelBadges channels={urgent} />
      </Group>
    </Row>
  );
}
