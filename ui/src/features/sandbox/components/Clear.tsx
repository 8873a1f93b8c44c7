import { Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useClearSandbox } from "@/features/sandbox/operations/clear-sandbox";
import { Confirm } from "@/kit/Confirm";

/** Empties the sandbox, after a question. */
export function Clear({ onCleared }: { onCleared: () => void }) {
  const clear = useClearSandbox();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setAsking(true)}>
        Clear…
      </Button>
      <Confirm
        opened={asking}
        title="Clear the sandbox?"
        deed="Clear the sandbox"
        busy={clear.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => clear.mutate(undefined, { onSuccess: onCleared, onSettled: () => setAsking(false) })}
      >
        Every message that it kept for this tenant is removed, not only those shown here, and cannot be
        brought back. The deliveries stay on record under Activity.
      </Confirm>
    </>
  );
}
