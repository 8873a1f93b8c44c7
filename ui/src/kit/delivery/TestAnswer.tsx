import { Anchor, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { Attempts } from "@/kit/delivery/Attempts";
import { DeliveryStatusBadge } from "@/kit/delivery/badges";
import { useFollowedDelivery, type Followed } from "@/kit/delivery/follow-delivery";
import type { DeliveryStatus } from "@/kit/delivery/schemas";
import { Asked } from "@/kit/states/Asked";
import { Loading } from "@/kit/states/Loading";
import { fromNow } from "@/kit/time";

interface Props {
  deliveryId: string;
  /** After each attempt. */
  onAttempt?: () => void;
}

/** What became of a test, as it happens, with the provider's own words. */
export function TestAnswer({ deliveryId, onAttempt }: Props) {
  const followed = useFollowedDelivery(deliveryId);
  const attempts = followed.data?.history.length ?? 0;
  useEffect(() => {
    if (attempts > 0) onAttempt?.();
  }, [attempts, onAttempt]);
  return (
    <Asked query={followed} loading={<Loading rows={1} height={28} />}>
      {(delivery) => <Answer delivery={delivery} />}
    </Asked>
  );
}

const SAYS: Record<DeliveryStatus, string> = {
  pending: "Waits for its turn.",
  sending: "On its way.",
  deferred: "Not taken yet.",
  unknown: "It may have arrived; nobody can say. It is held.",
  sent: "The provider took it.",
  skipped: "It was not sent.",
  failed: "It was not sent, and is not tried again.",
};

function Answer({ delivery }: { delivery: Followed }) {
  const { id, status, factId, address, runAt, history } = delivery;
  const trace = factId === null ? `/activity/deliveries?delivery=${id}` : `/activity/${factId}`;
  return (
    <Stack gap="sm">
      <Group gap="xs" role="status">
        <DeliveryStatusBadge status={status} />
        <Text size="sm">
          {SAYS[status]}
          {status === "deferred" && ` Tried again ${fromNow(runAt)}.`}
        </Text>
      </Group>
      {history.length > 0 && <Attempts of={history} />}
      <Text size="xs" c="dimmed">
        To {address}.{" "}
        <Anchor component={Link} to={trace} size="xs" underline="always">
          {factId === null ? "Its delivery" : "Its trace"}
        </Anchor>
      </Text>
    </Stack>
  );
}
