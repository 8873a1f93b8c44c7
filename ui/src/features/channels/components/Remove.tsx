import { Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useRemoveProvider } from "@/features/channels/operations/remove-provider";
import type { Provider } from "@/features/channels/schemas";
import { Confirm } from "@/kit/Confirm";

/** Removes a provider, after a question. What is built in stays. */
export function Remove({ provider }: { provider: Provider }) {
  const navigate = useNavigate();
  const remove = useRemoveProvider();
  const [asking, setAsking] = useState(false);
  if (provider.builtIn) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setAsking(true)}>
        Remove…
      </Button>
      <Confirm
        opened={asking}
        title={`Remove ${provider.name}?`}
        deed="Remove the provider"
        busy={remove.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          remove.mutate(provider.id, {
            onSuccess: () => void navigate({ to: "/channels", ignoreBlocker: true }),
            onSettled: () => setAsking(false),
          })
        }
      >
        Its credentials are deleted at once, and cannot be brought back. What waits for it goes to the next
        provider of its channel. Its name stays in the records. Turn it off instead if you may want it back.
      </Confirm>
    </>
  );
}
