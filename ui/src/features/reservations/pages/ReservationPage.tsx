import { Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { CancelReservation } from "@/features/reservations/components/CancelReservation";
import { Decision } from "@/features/reservations/components/Decision";
import { History } from "@/features/reservations/components/History";
import { ReopenReservation } from "@/features/reservations/components/ReopenReservation";
import { ReservationDetails } from "@/features/reservations/components/ReservationDetails";
import { isOpen } from "@/features/reservations/logic/words";
import { useReservation } from "@/features/reservations/operations/get-reservation";
import classes from "@/features/reservations/pages/ReservationPage.module.css";
import type { Reservation } from "@/features/reservations/schemas";
import { PageHead } from "@/kit/PageHead";
import { Failed } from "@/kit/states/Failed";
import { Loading } from "@/kit/states/Loading";
import { amountOf } from "@/kit/words";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/reservations/$id");

export function ReservationPage() {
  const { id } = route.useParams();
  const reservation = useReservation(Number(id));
  if (reservation.data !== undefined) return <Shown reservation={reservation.data} />;
  return (
    <>
      <PageHead title="Reservation" />
      {reservation.error === null ? (
        <Loading />
      ) : (
        <Failed error={reservation.error} onRetry={() => void reservation.refetch()} />
      )}
    </>
  );
}

/** One reservation: what is asked for, what is to be decided, and for admins all that happened. */
function Shown({ reservation }: { reservation: Reservation }) {
  const admin = useMay("admin");
  const { id, customer, restaurant, partySize, status, settled, mine } = reservation;
  return (
    <>
      <PageHead
        title={`${customer ?? "A guest"} at ${restaurant}`}
        about={`Reservation ${id}, for ${amountOf(partySize, "person", "people")}`}
      >
        {admin && isOpen(status) && settled && <ReopenReservation reservation={reservation} />}
        {mine && isOpen(status) && <CancelReservation reservation={reservation} />}
      </PageHead>
      <div className={classes.columns}>
        <Stack>
          <Decision reservation={reservation} />
          <ReservationDetails reservation={reservation} />
        </Stack>
        {admin && <History reservationId={id} />}
      </div>
    </>
  );
}
