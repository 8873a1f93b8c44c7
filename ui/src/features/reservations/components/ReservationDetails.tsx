import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ReservationStatusBadge } from "@/features/reservations/components/ReservationStatusBadge";
import { Times } from "@/features/reservations/components/Times";
import type { Reservation } from "@/features/reservations/schemas";
import { Details } from "@/kit/Details";
import { Section } from "@/kit/Section";
import { When } from "@/kit/When";
import { useMay } from "@/session/session";

/** What is asked for, and how it stands. */
export function ReservationDetails({ reservation }: { reservation: Reservation }) {
  const { status, time, proposedTime, timezone, restaurant, partySize, agency, note, createdAt } =
    reservation;
  return (
    <Section title="What is asked for">
      <Details
        of={[
          ["State", <ReservationStatusBadge key="state" status={status} />],
          ["Time", <Times key="time" at={time} zone={timezone} />],
          ...(proposedTime === null
            ? []
            : [["Proposed instead", <Times key="proposed" at={proposedTime} zone={timezone} />] as const]),
          ["How many", partySize.toLocaleString()],
          ["Restaurant", restaurant],
          ["Customer", <Customer key="customer" reservation={reservation} />],
          ...(agency === null ? [] : [["Agency", agency] as const]),
          ["Asked for", <When key="created" at={createdAt} />],
        ]}
      />
      {note !== null && (
        <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          “{note}”
        </Text>
      )}
    </Section>
  );
}

function Customer({ reservation: { customer, customerId } }: { reservation: Reservation }) {
  const admin = useMay("admin");
  if (customerId === null) return "a guest who is not here any more";
  if (!admin) return customer;
  return (
    <Anchor component={Link} to={`/settings/people?person=${customerId}`} size="sm">
      {customer}
    </Anchor>
  );
}
