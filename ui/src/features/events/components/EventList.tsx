import { Anchor, Group, Stack, Text } from "@mantine/core";
import { IconMapPin, IconUsers } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { EventStatusBadge } from "@/features/events/components/EventStatusBadge";
import { Times } from "@/features/events/components/Times";
import type { TidingsEvent } from "@/features/events/schemas";
import { Row, Rows } from "@/kit/Rows";
import { StatusBadge } from "@/kit/StatusBadge";
import { When } from "@/kit/When";
import { amountOf } from "@/kit/words";

export function EventList({ events }: { events: readonly TidingsEvent[] }) {
  return (
    <Rows label="Events" columns="minmax(0, 1.5fr) minmax(0, 1.4fr) minmax(0, 0.8fr) minmax(0, 1fr)">
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </Rows>
  );
}

function EventRow({ event }: { event: TidingsEvent }) {
  const { id, name, location, organiser, startsAt, status, subscribers, joined, mine } = event;
  return (
    <Row faint={status !== "active"}>
      <Stack gap={2}>
        <Anchor component={Link} to={`/events/${id}`} fw={600} size="sm" c="var(--mantine-color-text)">
          {name}
        </Anchor>
        {location !== null && (
          <Group gap={4} wrap="nowrap">
            <IconMapPin size={14} stroke={1.6} aria-hidden />
            <Text size="xs" c="dimmed" lineClamp={1}>
              {location}
            </Text>
          </Group>
        )}
      </Stack>
      <Times event={event} />
      <Stack gap={0}>
        <Text size="sm">
          <When at={startsAt} />
        </Text>
        <Group gap={4} wrap="nowrap">
          <IconUsers size={14} stroke={1.6} aria-hidden />
          <Text size="xs" c="dimmed">
            {amountOf(subscribers, "subscriber")}
          </Text>
        </Group>
      </Stack>
      <Stack gap={4} align="flex-start">
        <Group gap={6}>
          {status !== "active" && <EventStatusBadge status={status} />}
          {joined && <StatusBadge status="joined" means="good" />}
        </Group>
        <Text size="xs" c="dimmed">
          {organiser === null ? "Nobody organises it" : `by ${organiser}`}
          {mine && organiser === null && ", an admin may"}
        </Text>
      </Stack>
    </Row>
  );
}
