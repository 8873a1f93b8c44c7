import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { useReopenReservation } from "@/features/reservations/operations/reopen-reservation";
import type { Reservation } from "@/features/reservations/schemas";
import { Confirm } from "@/kit/Confirm";

/** Where the matter was settled, and the reservation was not. */
export function ReopenReservation({ reservation: { id, restaurant } }: { reservation: Reservation }) {
  const reopen = useReopenReservation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={() => setAsking(true)}>
        Ask again…
      </Button>
      <Confirm
        opened={asking}
        title="Ask once more?"
        deed="Ask again"
        danger={false}
        busy={reopen.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => reopen.mutate(id, { onSettled: () => setAsking(false) })}
      >
        {restaurant} and the admins get a new notice, and the first of them to act settles it.
      </Confirm>
    </>
  );
}
