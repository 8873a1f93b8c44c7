import { Button } from "@mantine/core";
import { IconCalendarCancel } from "@tabler/icons-react";
import { useState } from "react";
import { useCancelReservation } from "@/features/reservations/operations/cancel-reservation";
import type { Reservation } from "@/features/reservations/schemas";
import { Confirm } from "@/kit/Confirm";

/** Cancels it for the customer, after a question that says what that does. */
export function CancelReservation({ reservation }: { reservation: Reservation }) {
  const cancel = useCancelReservation();
  const [asking, setAsking] = useState(false);
  const { id, restaurant, agency } = reservation;
  const told =
    agency === null ? `${restaurant} and the customer are` : `${restaurant}, ${agency} and the customer are`;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCalendarCancel size={16} />}
        onClick={() => setAsking(true)}
      >
        Cancel it…
      </Button>
      <Confirm
        opened={asking}
        title="Cancel this reservation?"
        deed="Cancel the reservation"
        back="Keep it"
        busy={cancel.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => cancel.mutate(id, { onSettled: () => setAsking(false) })}
      >
        Nobody is asked about it any more; {told} told that it is off. This cannot be taken back.
      </Confirm>
    </>
  );
}
