import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { DeliveriesFilter } from "@/features/activity/addresses";
import { useRetryDeliveries } from "@/features/activity/operations/retry-deliveries";
import { Confirm } from "@/kit/Confirm";
import { exactly } from "@/kit/time";
import { useMay } from "@/session/session";

/** Sends what failed again, in bulk, by the channel, provider and time that are chosen. */
export function RetryMany({ filter }: { filter: DeliveriesFilter }) {
  const may = useMay("admin");
  const retry = useRetryDeliveries();
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState("");
  if (!may) return null;
  const { channel, provider, since } = filter;
  const wanted = { channel, provider, since, error: error.trim() || undefined };
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Retry failed…
      </Button>
      <Confirm
        opened={asking}
        title="Send what failed again?"
        deed="Send again"
        danger={false}
        busy={retry.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => retry.mutate(wanted, { onSettled: () => setAsking(false) })}
      >
        <Stack gap="sm">
          <Text size="sm">
            This sends {described(filter)} again, now, with all its attempts and under the same key. What is
            held is left alone: that takes a decision, one by one.
          </Text>
          <TextInput
            label="Only where the error contains"
            placeholder="Any error"
            maxLength={500}
            value={error}
            onChange={(event) => setError(event.currentTarget.value)}
          />
        </Stack>
      </Confirm>
    </>
  );
}

function described({ channel, provider, since }: DeliveriesFilter): string {
  const parts = [
    channel === undefined ? "" : ` by ${channel}`,
    provider === undefined ? "" : " through the chosen provider",
    since === undefined ? "" : ` since ${exactly(since)}`,
  ];
  return `every delivery that failed${parts.join("")}`;
}
