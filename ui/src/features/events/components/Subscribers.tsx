import { Anchor, Box, Button, Stack, Text } from "@mantine/core";
import { IconUsersPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { AddSubscriber } from "@/features/events/components/AddSubscriber";
import { offsetsInWords } from "@/features/events/logic/offsets";
import { useSubscribers } from "@/features/events/operations/list-subscribers";
import { useRemoveSubscriber } from "@/features/events/operations/remove-subscriber";
import type { Subscription, TidingsEvent } from "@/features/events/schemas";
import { Confirm } from "@/kit/Confirm";
import { Pager } from "@/kit/Pager";
import { Row, Rows } from "@/kit/Rows";
import { Section } from "@/kit/Section";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { When } from "@/kit/When";
import { useMay } from "@/session/session";

const TO_THE_EDGE = "calc(var(--mantine-spacing-md) * -1)";

interface Props {
  event: TidingsEvent;
  cursor: string | undefined;
  onTurn: (cursor: string | undefined) => void;
}

/** Who has joined, for the organiser. */
export function Subscribers({ event, cursor, onTurn }: Props) {
  const subscribers = useSubscribers(event.id, cursor);
  return (
    <Section
      title="Subscribers"
      about="In the order in which they first came."
      action={event.status === "active" && <AddSubscriber eventId={event.id} />}
    >
      <Asked query={subscribers}>
        {(page) =>
          page.data.length === 0 ? (
            <Empty icon={IconUsersPlus} title="Nobody has joined yet">
              People with a login join on this page. Send the others the link for guests.
            </Empty>
          ) : (
            <Box mx={TO_THE_EDGE}>
              <Rows label="Subscribers" columns="minmax(0, 1fr) minmax(0, 1.2fr) minmax(0, 0.8fr)">
                {page.data.map((subscription) => (
                  <One key={subscription.id} event={event} subscription={subscription} />
                ))}
              </Rows>
              <Pager page={page} cursor={cursor} onTurn={onTurn} words={["First", "Next"]} />
            </Box>
          )
        }
      </Asked>
    </Section>
  );
}

function One({ event, subscription }: { event: TidingsEvent; subscription: Subscription }) {
  const { person, reminderOffsets, selectors, createdAt } = subscription;
  return (
    <Row deeds={event.status === "active" && <Remove event={event} subscription={subscription} />}>
      <Stack gap={0}>
        <Name subscription={subscription}>{person}</Name>
        <Text size="xs" c="dimmed">
          joined <When at={createdAt} />
        </Text>
      </Stack>
      <Text size="xs" c="dimmed">
        {reminderOffsets.length === 0 ? "no reminders" : `reminded ${offsetsInWords(reminderOffsets)}`}
      </Text>
      <Text size="xs" c="dimmed">
        {selectors.length === 0 ? "on their own channels" : "where they chose"}
      </Text>
    </Row>
  );
}

function Name({ subscription, children }: { subscription: Subscription; children: string }) {
  const admin = useMay("admin");
  if (!admin)
    return (
      <Text size="sm" fw={600}>
        {children}
      </Text>
    );
  return (
    <Anchor
      component={Link}
      to={`/settings/people?person=${subscription.personId}`}
      size="sm"
      fw={600}
      c="var(--mantine-color-text)"
    >
      {children}
    </Anchor>
  );
}

function Remove({ event, subscription }: { event: TidingsEvent; subscription: Subscription }) {
  const remove = useRemoveSubscriber(event.id);
  const [asking, setAsking] = useState(false);
  const { person, id } = subscription;
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        aria-label={`Remove ${person}…`}
        onClick={() => setAsking(true)}
      >
        Remove…
      </Button>
      <Confirm
        opened={asking}
        title={`Take ${person} off the list?`}
        deed="Take off the list"
        busy={remove.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate(id, { onSettled: () => setAsking(false) })}
      >
        They hear of {event.name} no more, and their reminders are removed. They are not told. They can join
        again while it is open.
      </Confirm>
    </>
  );
}
