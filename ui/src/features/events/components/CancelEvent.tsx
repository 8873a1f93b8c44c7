import { Button } from "@mantine/core";
import { IconCalendarCancel } from "@tabler/icons-react";
import { useState } from "react";
import { useCancelEvent } from "@/features/events/operations/cancel-event";
import type { TidingsEvent } from "@/features/events/schemas";
import { Confirm } from "@/kit/Confirm";
import { amountOf } from "@/kit/words";

/** Cancels an event, after a question that says what it does. */
export function CancelEvent({ event }: { event: TidingsEvent }) {
  const cancel = useCancelEvent();
  const [asking, setAsking] = useState(false);
  const { id, name, subscribers } = event;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCalendarCancel size={16} />}
        onClick={() => setAsking(true)}
      >
        Cancel the event…
      </Button>
      <Confirm
        opened={asking}
        title={`Cancel ${name}?`}
        deed="Cancel the event"
        back="Keep it"
        busy={cancel.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => cancel.mutate(id, { onSettled: () => setAsking(false) })}
      >
        {subscribers === 0
          ? "Nobody has joined, so nobody is told. "
          : `${amountOf(subscribers, "subscriber is", "subscribers are")} told at once that it is cancelled. `}
        All reminders to come are removed, calendars that read it show it as cancelled, and nobody can join
        any more. This cannot be taken back.
      </Confirm>
    </>
  );
}
