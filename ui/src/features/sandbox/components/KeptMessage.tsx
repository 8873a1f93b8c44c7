import { Alert, Button, Group, Stack, Tabs, Text, Title } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Source } from "@/features/sandbox/components/Source";
import { useKept } from "@/features/sandbox/operations/get-kept";
import type { KeptInFull } from "@/features/sandbox/schemas";
import { ChannelBadge } from "@/kit/ChannelBadges";
import { channelWords } from "@/kit/channels";
import { useDeliveryOf } from "@/kit/delivery/follow-delivery";
import { MessagePreview } from "@/kit/message/MessagePreview";
import { Asked } from "@/kit/states/Asked";
import { exactly } from "@/kit/time";
import { useSession } from "@/session/session";

/** One message: as it would have looked, and what it is made of. */
export function KeptMessage({ id }: { id: string }) {
  return <Asked query={useKept(id)}>{(message) => <Shown message={message} />}</Asked>;
}

function Shown({ message }: { message: KeptInFull }) {
  return (
    <Stack gap="sm">
      <Head message={message} />
      {message.to === null ? (
        <Alert color="orange" title="It cannot be read any more">
          It was sealed with a master key that is not there any more. Clear the sandbox to be rid of it.
        </Alert>
      ) : (
        <Tabs defaultValue="look" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="look">As it looks</Tabs.Tab>
            <Tabs.Tab value="source">Source</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="look">
            <Look message={message} />
          </Tabs.Panel>
          <Tabs.Panel value="source">
            <Source message={message} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Stack>
  );
}

function Look({ message }: { message: KeptInFull }) {
  const { tenant } = useSession();
  const { channel, subject, text, html, buttons } = message;
  return (
    <MessagePreview
      channel={channel}
      message={{ subject, text: text ?? "", html, buttons }}
      sender={tenant}
    />
  );
}

function Head({ message }: { message: KeptInFull }) {
  const delivery = useDeliveryOf(message.id).data;
  const who = delivery?.personName ?? message.name;
  return (
    <Stack gap={4}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <Title order={2} size="h4" miw={0}>
          {message.subject ?? `${channelWords[message.channel]} to ${who ?? message.to ?? "somebody"}`}
        </Title>
        <ChannelBadge channel={message.channel} />
      </Group>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          To {who === null ? message.to : `${who}, ${message.to ?? "sealed"}`} · {exactly(message.createdAt)}
        </Text>
        {delivery?.factId != null && (
          <Button
            component={Link}
            to={`/activity/${delivery.factId}`}
            size="xs"
            variant="default"
            leftSection={<IconRoute size={15} />}
          >
            Its trace
          </Button>
        )}
      </Group>
    </Stack>
  );
}
