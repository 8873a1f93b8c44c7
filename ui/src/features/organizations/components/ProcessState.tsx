import { Alert } from "@mantine/core";
import { IconAlertTriangle, IconHourglass } from "@tabler/icons-react";
import { isOpen } from "@/features/organizations/logic/words";
import type { Bootstrap } from "@/features/organizations/schemas";

/** Why nothing seems to move, where its process cannot be asked. */
export function ProcessState({ bootstrap: { status, live } }: { bootstrap: Bootstrap }) {
  if (!isOpen(status)) return null;
  if (live.state === "not_started")
    return (
      <Alert color="tide" icon={<IconHourglass size={18} />} title="Not started yet" role="status">
        It is recorded and will run: it starts as soon as a worker and Temporal are there. The subdomain is
        reserved meanwhile.
      </Alert>
    );
  if (live.state === "away")
    return (
      <Alert
        color="orange"
        icon={<IconAlertTriangle size={18} />}
        title="Its process cannot be asked"
        role="status"
      >
        Below is what is on record. Nothing is lost: it goes on when Temporal is back. What it waits for, and
        until when, is not known just now{live.reason === null ? "" : ` (${live.reason})`}.
      </Alert>
    );
  if (live.state === "ended")
    return (
      <Alert
        color="orange"
        icon={<IconAlertTriangle size={18} />}
        title="Its process has ended"
        role="status"
      >
        It was ended from outside before it was done. What it left is found and taken back by itself, within
        minutes.
      </Alert>
    );
  return null;
}
