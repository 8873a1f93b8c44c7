import { Button, Stack } from "@mantine/core";
import { IconPlus, IconToolsKitchen2 } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ReservationFilters } from "@/features/reservations/components/ReservationFilters";
import { ReservationList } from "@/features/reservations/components/ReservationList";
import { ReservationsHead } from "@/features/reservations/components/ReservationsHead";
import { useReservations } from "@/features/reservations/operations/list-reservations";
import { useEveryRestaurant } from "@/features/reservations/operations/list-restaurants";
import type { ReservationsFilter } from "@/features/reservations/searches";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay, useSession } from "@/session/session";

const route = getRouteApi("/shell/reservations");

/** What was asked for, and how it stands. An admin sees all; others their own, and those of their places. */
export function ReservationsPage() {
  const filter = route.useSearch();
  const navigate = useNavigate({ from: "/reservations" });
  const reservations = useReservations(filter);
  const narrow = (change: Partial<ReservationsFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });
  return (
    <>
      <ReservationsHead tab="/reservations">
        <NewReservation />
      </ReservationsHead>
      <Stack>
        {(isNarrowed(filter) || reservations.data?.data.length !== 0) && (
          <ReservationFilters filter={filter} onChange={narrow} />
        )}
        <Panel>
          <Asked query={reservations}>
            {(page) =>
              page.data.length === 0 ? (
                <Nothing filter={filter} />
              ) : (
                <>
                  <ReservationList reservations={page.data} />
                  <Pager page={page} cursor={filter.cursor} onTurn={(cursor) => narrow({ cursor })} />
                </>
              )
            }
          </Asked>
        </Panel>
      </Stack>
    </>
  );
}

function isNarrowed(filter: ReservationsFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

function NewReservation() {
  const admin = useMay("admin");
  const { personId } = useSession();
  if (personId === null && !admin) return null;
  return (
    <Button component={Link} to="/reservations/new" leftSection={<IconPlus size={16} />}>
      New reservation
    </Button>
  );
}

function Nothing({ filter }: { filter: ReservationsFilter }) {
  const admin = useMay("admin");
  const restaurants = useEveryRestaurant();
  if (isNarrowed(filter))
    return (
      <Empty icon={IconToolsKitchen2} title="No such reservation">
        None matches. Take a filter away to see the others.
      </Empty>
    );
  if (admin && restaurants.data?.length === 0)
    return (
      <Empty
        icon={IconToolsKitchen2}
        title="Make a restaurant first"
        action={
          <Button component={Link} to="/reservations/restaurants?new=true">
            New restaurant
          </Button>
        }
      >
        A reservation is for a restaurant: it has a timezone, and people who decide.
      </Empty>
    );
  return (
    <Empty icon={IconToolsKitchen2} title="Nothing is reserved" action={<NewReservation />}>
      Who asks for a table appears here, and in the inbox of those who decide.
    </Empty>
  );
}
