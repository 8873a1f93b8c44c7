import { Button, Divider, Group, Stack, Text } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { MyChoice } from "@/features/events/components/MyChoice";
import { MyReminders } from "@/features/events/components/MyReminders";
import { Nobody } from "@/features/events/components/Nobody";
import { RemindMe } from "@/features/events/components/RemindMe";
import { useMySubscription } from "@/features/events/operations/get-my-subscription";
import { useJoinEvent } from "@/features/events/operations/join-event";
import { useLeaveEvent } from "@/features/events/operations/leave-event";
import type { TidingsEvent } from "@/features/events/schemas";
import { Confirm } from "@/kit/Confirm";
import { Section } from "@/kit/Section";
import { Asked } from "@/kit/states/Asked";
import { useSession } from "@/session/session";

/** What the event is to who looks: to join, or when and where they hear of it. */
export function MyPart({ event }: { event: TidingsEvent }) {
  const { personId } = useSession();
  const open = event.status === "active";
  if (personId === null)
    return <Nobody>Only people can join an event and be told of it, and none of them is you.</Nobody>;
  if (event.joined) return <Joined event={event} />;
  return (
    <Section title="You and this event">
      {open ? (
        <Join eventId={event.id} />
      ) : (
        <Text size="sm" c="dimmed">
          You have not joined, and one cannot join any more: the event is{" "}
          {event.status === "cancelled" ? "cancelled" : "over"}.
        </Text>
      )}
    </Section>
  );
}

function Join({ eventId }: { eventId: number }) {
  const join = useJoinEvent(eventId);
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">
        Join, and you hear of changes and announcements, and are reminded a day and an hour before. You can
        choose other times and places afterwards.
      </Text>
      <Button leftSection={<IconUserPlus size={16} />} loading={join.isPending} onClick={() => join.mutate()}>
        Join
      </Button>
    </Stack>
  );
}

function Joined({ event }: { event: TidingsEvent }) {
  const subscription = useMySubscription(event.id);
  const open = event.status === "active";
  return (
    <Section title="You have joined" action={open ? <Leave event={event} /> : null}>
      {open ? (
        <>
          <Asked query={subscription}>
            {(mine) => <MyChoice key={mine.id} eventId={event.id} subscription={mine} />}
          </Asked>
          <Divider />
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600}>
              Reminders to come
            </Text>
            <RemindMe eventId={event.id} />
          </Group>
          <MyReminders eventId={event.id} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          No more reminders: the event is {event.status === "cancelled" ? "cancelled" : "over"}.
        </Text>
      )}
    </Section>
  );
}

function Leave({ event }: { event: TidingsEvent }) {
  const leave = useLeaveEvent(event.id);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        Leave…
      </Button>
      <Confirm
        opened={asking}
        title={`Leave ${event.name}?`}
        deed="Leave"
        back="Stay"
        busy={leave.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => leave.mutate(undefined, { onSettled: () => setAsking(false) })}
      >
        Your reminders are removed, and you hear of this event no more. You can join again while it is open.
        Nobody is told that you left.
      </Confirm>
    </>
  );
}
