import { Anchor, Button, Text } from "@mantine/core";
import { IconCalendarDown } from "@tabler/icons-react";
import { EventStatusBadge } from "@/features/events/components/EventStatusBadge";
import { Times } from "@/features/events/components/Times";
import type { TidingsEvent } from "@/features/events/schemas";
import { Details } from "@/kit/Details";
import { Section } from "@/kit/Section";
import { When } from "@/kit/When";
import { amountOf } from "@/kit/words";

/** What it is, when and where, and a file of it for one's calendar. */
export function EventDetails({ event }: { event: TidingsEvent }) {
  const { id, startsAt, status, location, organiser, subscribers, description } = event;
  return (
    <Section
      title="What it is"
      action={
        <Button
          component="a"
          href={`/v1/events/${id}.ics`}
          download={`event-${id}.ics`}
          size="xs"
          variant="default"
          leftSection={<IconCalendarDown size={16} />}
        >
          For my calendar (.ics)
        </Button>
      }
    >
      <Details
        of={[
          ["State", <EventStatusBadge key="state" status={status} />],
          ["When", <Times key="when" event={event} />],
          ["Starts", <When key="starts" at={startsAt} />],
          ["Timezone", event.timezone],
          ["Where", location === null ? null : <Place location={location} />],
          ["Organiser", organiser ?? "nobody any more"],
          ["Joined", amountOf(subscribers, "person", "people")],
        ]}
      />
      {description !== null && (
        <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {description}
        </Text>
      )}
    </Section>
  );
}

/** A place on the web is one that one can go to. */
function Place({ location }: { location: string }) {
  if (!/^https?:\/\/\S+$/.test(location)) return location;
  return (
    <Anchor href={location} target="_blank" rel="noreferrer" size="sm">
      {location}
    </Anchor>
  );
}
