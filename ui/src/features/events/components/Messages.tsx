import { Anchor, Box, Button, Group, Stack, Text } from "@mantine/core";
import { IconMessage2, IconSpeakerphone } from "@tabler/icons-react";
import { useState } from "react";
import { Announce } from "@/features/events/components/Announce";
import { kindInWords, LevelBadge } from "@/features/events/components/badges";
import { MessageBar } from "@/features/events/components/MessageBar";
import { tally } from "@/features/events/logic/messages";
import { useMessages } from "@/features/events/operations/list-messages";
import type { EventMessage, TidingsEvent } from "@/features/events/schemas";
import { Pager } from "@/kit/Pager";
import { Row, Rows } from "@/kit/Rows";
import { Section } from "@/kit/Section";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { When } from "@/kit/When";

const TO_THE_EDGE = "calc(var(--mantine-spacing-md) * -1)";

interface Props {
  event: TidingsEvent;
  cursor: string | undefined;
  onTurn: (cursor: string | undefined) => void;
  onOpen: (id: string) => void;
}

const PATIENCE = 30_000;

/** What was said to those who joined, and what became of it; the numbers grow while one looks. */
export function Messages({ event, cursor, onTurn, onOpen }: Props) {
  const [writing, setWriting] = useState(false);
  const [awaited, setAwaited] = useState<{ after: string | undefined; until: number }>();
  const messages = useMessages(event.id, cursor, awaited !== undefined);
  const newest = messages.data?.data[0]?.id;
  if (awaited !== undefined && (newest !== awaited.after || messages.dataUpdatedAt > awaited.until))
    setAwaited(undefined);
  const expect = () => {
    setAwaited({ after: newest, until: Date.now() + PATIENCE });
    onTurn(undefined);
  };
  return (
    <Section
      title="What was said"
      about="Changes, announcements and a cancellation, with their deliveries."
      action={
        event.status === "active" && (
          <Button size="xs" leftSection={<IconSpeakerphone size={16} />} onClick={() => setWriting(true)}>
            Announce…
          </Button>
        )
      }
    >
      <Announce event={event} opened={writing} onClose={() => setWriting(false)} onAnnounced={expect} />
      {awaited !== undefined && (
        <Text size="sm" c="dimmed" role="status">
          The announcement is on its way to the event's process, which tells everybody.
        </Text>
      )}
      <Asked query={messages}>
        {(page) =>
          page.data.length === 0 ? (
            <Empty icon={IconMessage2} title="Nothing was said yet">
              When you announce something, or change or cancel the event, who has joined is told. What becomes
              of it is here.
            </Empty>
          ) : (
            <Box mx={TO_THE_EDGE}>
              <Rows label="What was said" columns="minmax(0, 1.4fr) minmax(0, 1fr)">
                {page.data.map((message) => (
                  <One key={message.id} message={message} onOpen={() => onOpen(message.id)} />
                ))}
              </Rows>
              <Pager page={page} cursor={cursor} onTurn={onTurn} />
            </Box>
          )
        }
      </Asked>
    </Section>
  );
}

function One({ message, onOpen }: { message: EventMessage; onOpen: () => void }) {
  const { title, kind, level, createdAt } = message;
  return (
    <Row>
      <Stack gap={2}>
        <Group gap={8}>
          <Anchor
            component="button"
            type="button"
            onClick={onOpen}
            size="sm"
            fw={600}
            ta="left"
            c="var(--mantine-color-text)"
          >
            {title}
          </Anchor>
          {level !== "info" && <LevelBadge level={level} />}
        </Group>
        <Text size="xs" c="dimmed">
          {kindInWords(kind)}, <When at={createdAt} />
        </Text>
      </Stack>
      <Stack gap={4}>
        <MessageBar message={message} />
        <Text size="xs" c="dimmed" className="numbers">
          {tally(message) || (message.complete ? "Nobody was to be told." : "Being prepared.")}
        </Text>
      </Stack>
    </Row>
  );
}
