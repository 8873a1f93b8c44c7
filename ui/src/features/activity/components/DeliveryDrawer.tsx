import { Button, Drawer, Group, Stack, Title } from "@mantine/core";
import { IconRoute, IconZoomQuestion } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { Settle } from "@/features/activity/components/Settle";
import { useActOnDelivery } from "@/features/activity/operations/act-on-delivery";
import { useDelivery } from "@/features/activity/operations/get-delivery";
import type { DeliveryInFull } from "@/features/activity/schemas";
import { Copied } from "@/kit/Copied";
import { Attempts } from "@/kit/delivery/Attempts";
import { DeliveryStatusBadge } from "@/kit/delivery/badges";
import type { DeliveryStatus } from "@/kit/delivery/schemas";
import { Details } from "@/kit/Details";
import { Asked } from "@/kit/states/Asked";
import { exactly } from "@/kit/time";
import { useMay } from "@/session/session";

interface Props {
  id: string | undefined;
  onClose: () => void;
}

/** One delivery: how it stands and why, every attempt, and what can be done about it. */
export function DeliveryDrawer({ id, onClose }: Props) {
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="lg" title="Delivery">
      {id !== undefined && <Content id={id} />}
    </Drawer>
  );
}

function Content({ id }: { id: string }) {
  return <Asked query={useDelivery(id)}>{(delivery) => <Shown delivery={delivery} />}</Asked>;
}

function Shown({ delivery }: { delivery: DeliveryInFull }) {
  return (
    <Stack>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h4">
          {delivery.title ?? "A delivery"}
        </Title>
        <DeliveryStatusBadge status={delivery.status} />
      </Group>
      <Deeds delivery={delivery} />
      <Details of={facts(delivery)} />
      <Title order={3} size="h5">
        Attempts
      </Title>
      <Attempts of={delivery.history} />
    </Stack>
  );
}

function facts(delivery: DeliveryInFull): [string, ReactNode][] {
  const open = delivery.finishedAt === null;
  return [
    ["To", `${delivery.personName ?? "Somebody who was deleted"} · ${delivery.address}`],
    ["Channel", delivery.channel],
    ["Provider", delivery.providerName],
    ["Last error", delivery.lastError],
    ["Attempts", `${delivery.attempts}${delivery.maxAttempts === null ? "" : ` of ${delivery.maxAttempts}`}`],
    ["Made", exactly(delivery.createdAt)],
    open ? ["Next try", exactly(delivery.runAt)] : ["Finished", exactly(delivery.finishedAt ?? "")],
    ["Given up", open ? exactly(delivery.expiresAt) : null],
    ["Receipt", delivery.receipt],
    ["Reported later", reported(delivery)],
    ["Id", <Copied key="id" text={delivery.id} />],
  ].filter(([, value]) => value !== null) as [string, ReactNode][];
}

function reported({ confirmed, confirmedAt }: DeliveryInFull): string | null {
  return confirmed === null ? null : `${confirmed}, ${confirmedAt === null ? "" : exactly(confirmedAt)}`;
}

const AGAIN: Partial<Record<DeliveryStatus, string>> = {
  failed: "Send again",
  unknown: "Send again",
  pending: "Send now",
  deferred: "Send now",
};

function Deeds({ delivery }: { delivery: DeliveryInFull }) {
  const act = useActOnDelivery(delivery.id);
  const may = useMay("admin");
  const [settling, setSettling] = useState(false);
  const again = AGAIN[delivery.status];
  return (
    <Group gap="xs">
      {may && again !== undefined && (
        <Button size="xs" loading={act.isPending} onClick={() => act.mutate({ do: "retry" })}>
          {again}
        </Button>
      )}
      {may && delivery.status === "unknown" && (
        <Button size="xs" variant="default" onClick={() => setSettling(true)}>
          Settle…
        </Button>
      )}
      <Ways delivery={delivery} />
      <Settle id={delivery.id} opened={settling} onClose={() => setSettling(false)} />
    </Group>
  );
}

function Ways({ delivery: { factId, personId } }: { delivery: DeliveryInFull }) {
  if (factId === null) return null;
  return (
    <>
      <Button
        component={Link}
        to={`/activity/${factId}`}
        size="xs"
        variant="default"
        leftSection={<IconRoute size={15} />}
      >
        Its trace
      </Button>
      <Button
        component={Link}
        to={`/activity/why?person=${personId}&fact=${factId}`}
        size="xs"
        variant="default"
        leftSection={<IconZoomQuestion size={15} />}
      >
        Why?
      </Button>
    </>
  );
}
