import { getRouteApi } from "@tanstack/react-router";
import { EventEditor } from "@/features/events/components/EventEditor";
import { useEvent } from "@/features/events/operations/get-event";
import { PageHead } from "@/kit/PageHead";
import { NoPermission } from "@/kit/states/NoPermission";
import { Failed } from "@/kit/states/Failed";
import { Loading } from "@/kit/states/Loading";

const route = getRouteApi("/shell/events/$id/edit");

export function EditEventPage() {
  const { id } = route.useParams();
  const event = useEvent(Number(id));
  if (event.data === undefined)
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
  if (!event.data.mine)
    return (
      <>
        <PageHead title={event.data.name} />
        <NoPermission why="Only the organiser of an event, or an admin, changes it." />
      </>
    );
  const refetch = async () => {
    const { data, error } = await event.refetch();
    if (data === undefined) throw error ?? new Error("There is no such event any more.");
    return data;
  };
  return <EventEditor key={event.data.id} event={event.data} onRefetch={refetch} />;
}
