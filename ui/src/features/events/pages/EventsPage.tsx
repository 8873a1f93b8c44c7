import { Button, Group, SegmentedControl, Select, Stack } from "@mantine/core";
import { IconCalendarEvent, IconPlus } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { CalendarFeed } from "@/features/events/components/CalendarFeed";
import { EventList } from "@/features/events/components/EventList";
import { Nobody } from "@/features/events/components/Nobody";
import { useEvents } from "@/features/events/operations/list-events";
import { eventStatuses, type EventsFilter, type EventStatus } from "@/features/events/schemas";
import { PageHead } from "@/kit/PageHead";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay, useSession } from "@/session/session";

const route = getRouteApi("/shell/events");
const STATES: Record<EventStatus, string> = { active: "active", cancelled: "cancelled", completed: "over" };

/** What is to come, and what was: to join, to organise, to look up. */
export function EventsPage() {
  const { personId } = useSession();
  const { whose, ...rest } = route.useSearch();
  const filter: EventsFilter = personId === null ? rest : { whose, ...rest };
  const navigate = useNavigate({ from: "/events" });
  const events = useEvents(filter);
  const narrow = (change: Partial<EventsFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });
  return (
    <>
      <PageHead title="Events" about="What is to come. Who joins is told of changes, and reminded in time.">
        {personId !== null && <CalendarFeed />}
        <NewEvent />
      </PageHead>
      <Stack>
        {personId === null && (
          <Nobody>
            You see what there is, but cannot join: who is told of events are people, and none of them is you.
          </Nobody>
        )}
        <Filters filter={filter} isSomebody={personId !== null} onChange={narrow} />
        <Panel>
          <Asked query={events}>
            {(page) =>
              page.data.length === 0 ? (
                <Nothing filter={filter} />
              ) : (
                <>
                  <EventList events={page.data} />
                  <Pager
                    page={page}
                    cursor={filter.cursor}
                    onTurn={(cursor) => narrow({ cursor })}
                    words={filter.past === true ? ["Latest", "Earlier"] : ["Next", "Later"]}
                  />
                </>
              )
            }
          </Asked>
        </Panel>
      </Stack>
    </>
  );
}

/** Whoever is somebody may organise; an admin may also for others. */
function NewEvent() {
  const admin = useMay("admin");
  const { personId } = useSession();
  if (personId === null && !admin) return null;
  return (
    <Button component={Link} to="/events/new" leftSection={<IconPlus size={16} />}>
      New event
    </Button>
  );
}

function Nothing({ filter: { whose, status, past } }: { filter: EventsFilter }) {
  if (whose !== undefined || status !== undefined)
    return (
      <Empty icon={IconCalendarEvent} title="No such event">
        {whose === "joined"
          ? "You have joined none of them. Look at all, and join what you want to hear of."
          : "None matches. Take a filter away to see the others."}
      </Empty>
    );
  if (past === true)
    return (
      <Empty icon={IconCalendarEvent} title="Nothing is over yet">
        What is over is kept here, with what was said and who heard of it.
      </Empty>
    );
  return (
    <Empty icon={IconCalendarEvent} title="Nothing is planned" action={<NewEvent />}>
      Make an event, and send the link to those who should come. They are reminded when it is near, and told
      when it moves.
    </Empty>
  );
}

interface FiltersProps {
  filter: EventsFilter;
  isSomebody: boolean;
  onChange: (change: Partial<EventsFilter>) => void;
}

function Filters({ filter, isSomebody, onChange }: FiltersProps) {
  return (
    <Group gap="sm">
      <SegmentedControl<"coming" | "past">
        aria-label="When"
        value={filter.past === true ? "past" : "coming"}
        onChange={(when) => onChange({ past: when === "past" ? true : undefined })}
        data={[
          { value: "coming", label: "To come" },
          { value: "past", label: "Past" },
        ]}
      />
      {isSomebody && (
        <SegmentedControl<"all" | "joined" | "organised">
          aria-label="Whose"
          value={filter.whose ?? "all"}
          onChange={(whose) => onChange({ whose: whose === "all" ? undefined : whose })}
          data={[
            { value: "all", label: "All" },
            { value: "joined", label: "Joined" },
            { value: "organised", label: "Organised" },
          ]}
        />
      )}
      <Select
        aria-label="State"
        placeholder="Any state"
        clearable
        w={150}
        data={eventStatuses.map((value) => ({ value, label: STATES[value] }))}
        value={filter.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
      />
    </Group>
  );
}
