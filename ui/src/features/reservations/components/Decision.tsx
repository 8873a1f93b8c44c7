import { Stack, Text } from "@mantine/core";
import { isOpen } from "@/features/reservations/logic/words";
import { useMyCopy } from "@/features/reservations/operations/get-my-copy";
import type { Reservation } from "@/features/reservations/schemas";
import { HandledNote } from "@/kit/matter/HandledNote";
import { Matter } from "@/kit/matter/Matter";
import { WhoTried } from "@/kit/matter/WhoTried";
import { Section } from "@/kit/Section";
import { useSession } from "@/session/session";

/** What somebody is to decide, with buttons for who was asked; and how it was decided before, by whom and when. */
export function Decision({ reservation }: { reservation: Reservation }) {
  const { personId } = useSession();
  const { status, settled, handled, timezone, matter } = reservation;
  const copy = useMyCopy(matter);
  const waits = isOpen(status) && !settled;
  const known = copy?.handled === undefined || copy.handled === null ? handled : null;
  return (
    <Section title={waits ? "What is to be decided" : "What was decided"}>
      <Stack gap="sm">
        {waits && copy === undefined && <Waits reservation={reservation} />}
        {copy !== undefined && (
          <div>
            <Text size="sm" mb={6}>
              {copy.title}
            </Text>
            <Matter key={copy.id} notification={copy} />
          </div>
        )}
        {known !== null && (
          <div role="status">
            {waits && (
              <Text size="sm" c="dimmed">
                Before that:
              </Text>
            )}
            <HandledNote handled={known} me={personId} zone={timezone} />
          </div>
        )}
        {isOpen(status) && settled && (
          <Text size="sm" c="dimmed">
            The notice was dealt with, and the reservation was not: the customer has no answer yet.
          </Text>
        )}
        {copy !== undefined && copy.handled !== null && (
          <WhoTried notificationId={copy.id} me={copy.personId} />
        )}
      </Stack>
    </Section>
  );
}

/** Who looks was not asked, or not yet. */
function Waits({ reservation: { restaurant, status, customer } }: { reservation: Reservation }) {
  return (
    <Text size="sm">
      {status === "postponed"
        ? `${customer ?? "The customer"} is asked whether the other time is all right. `
        : `${restaurant} and the admins are asked, in their inbox and over their channels. `}
      <Text span inherit c="dimmed">
        You have not been asked yourself: whoever has acts from their inbox, and you see here what they did.
      </Text>
    </Text>
  );
}
