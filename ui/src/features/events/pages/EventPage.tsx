import { Button, Stack } from "@mantine/core";
import { IconEdit } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { CancelEvent } from "@/features/events/components/CancelEvent";
import { EventDetails } from "@/features/events/components/EventDetails";
import { JoinLink } from "@/features/events/components/JoinLink";
import { MessageDrawer } from "@/features/events/components/MessageDrawer";
import { Messages } from "@/features/events/components/Messages";
import { MyPart } from "@/features/events/components/MyPart";
import { ProcessPanel } from "@/features/events/components/ProcessPanel";
import { Subscribers } from "@/features/events/components/Subscribers";
import { useEvent } from "@/features/events/operations/get-event";
import classes from "@/features/events/pages/EventPage.module.css";
import type { EventSearch, TidingsEvent } from "@/features/events/schemas";
import { PageHead } from "@/kit/PageHead";
import { Failed } from "@/kit/states/Failed";
import { Loading } from "@/kit/states/Loading";

const route = getRouteApi("/shell/events/$id");

export function EventPage() {
  const { id } = route.useParams();
  const event = useEvent(Number(id));
  if (event.data !== undefined) return <Shown event={event.data} />;
  return (
    <>
      <PageHead title="Event" />
      {event.error === null ? (
        <Loading />
      ) : (
        <Failed error={event.error} onRetry={() => void event.refetch()} />
      )}
    </>
  );
}

/** One event: what it is, what it is to who looks, and for its organiser what they do with it. */
function Shown({ event }: { event: TidingsEvent }) {
  const { subscribers, messages, message, result, results } = route.useSearch();
  const navigate = useNavigate({ from: "/events/$id" });
  const go = (change: Partial<EventSearch>) => void navigate({ search: (now) => ({ ...now, ...change }) });
  return (
    <>
      <PageHead title={event.name}>
        {event.mine && event.status === "active" && <Deeds event={event} />}
      </PageHead>
      <div className={classes.columns}>
        <EventDetails event={event} />
        <Stack className={classes.aside ?? ""}>
          <MyPart event={event} />
          {event.joinUrl !== null && event.status === "active" && <JoinLink url={event.joinUrl} />}
          {event.mine && <ProcessPanel eventId={event.id} />}
        </Stack>
        {event.mine && (
          <Stack>
            <Messages
              event={event}
              cursor={messages}
              onTurn={(cursor) => go({ messages: cursor })}
              onOpen={(id) => go({ message: id, result: undefined, results: undefined })}
            />
            <Subscribers
              event={event}
              cursor={subscribers}
              onTurn={(cursor) => go({ subscribers: cursor })}
            />
          </Stack>
        )}
      </div>
      {event.mine && (
        <MessageDrawer
          eventId={event.id}
          id={message}
          status={result}
          cursor={results}
          onNarrow={({ status, cursor }) => go({ result: status, results: cursor })}
          onClose={() => go({ message: undefined, result: undefined, results: undefined })}
        />
      )}
    </>
  );
}

function Deeds({ event }: { event: TidingsEvent }) {
  return (
    <>
      <Button
        component={Link}
        to={`/events/${event.id}/edit`}
        variant="default"
        leftSection={<IconEdit size={16} />}
      >
        Change
      </Button>
      <CancelEvent event={event} />
    </>
  );
}
