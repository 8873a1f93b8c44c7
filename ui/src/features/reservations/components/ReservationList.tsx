import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ReservationStatusBadge } from "@/features/reservations/components/ReservationStatusBadge";
import { Times } from "@/features/reservations/components/Times";
import { isOpen } from "@/features/reservations/logic/words";
import type { Reservation } from "@/features/reservations/schemas";
import { howInWords, nameOf } from "@/kit/matter/words";
import { Row, Rows } from "@/kit/Rows";
import { amountOf } from "@/kit/words";
import { useSession } from "@/session/session";

export function ReservationList({ reservations }: { reservations: readonly Reservation[] }) {
  return (
    <Rows label="Reservations" columns="minmax(0, 1.3fr) minmax(0, 1.4fr) minmax(0, 1fr)">
      {reservations.map((reservation) => (
        <One key={reservation.id} reservation={reservation} />
      ))}
    </Rows>
  );
}

function One({ reservation }: { reservation: Reservation }) {
  const { id, customer, partySize, restaurant, agency, time, timezone, status } = reservation;
  return (
    <Row faint={status === "rejected" || status === "cancelled"}>
      <Stack gap={2}>
        <Anchor component={Link} to={`/reservations/${id}`} fw={600} size="sm" c="var(--mantine-color-text)">
          {customer ?? "A guest"}, {amountOf(partySize, "person", "people")}
        </Anchor>
        <Text size="xs" c="dimmed">
          {restaurant}
          {agency !== null && ` · through ${agency}`}
        </Text>
      </Stack>
      <Times at={time} zone={timezone} />
      <Stack gap={2} align="flex-start">
        <ReservationStatusBadge status={status} />
        <Standing reservation={reservation} />
      </Stack>
    </Row>
  );
}

/** Who dealt with it; or that somebody is to. */
function Standing({ reservation: { status, settled, handled } }: { reservation: Reservation }) {
  const { personId } = useSession();
  const name = handled === null ? "" : nameOf(handled.by, personId);
  const by =
    handled === null ? "" : isOpen(status) ? `${howInWords(handled.action)} by ${name}` : `by ${name}`;
  return (
    <Text size="xs" c="dimmed">
      {isOpen(status) && !settled ? "waits for an answer" : by}
    </Text>
  );
}
