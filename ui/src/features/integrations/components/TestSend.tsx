import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useFollowedTrial } from "@/features/integrations/operations/follow-trial";
import { useTryIntegration } from "@/features/integrations/operations/try-integration";
import type { Integration, Trial } from "@/features/integrations/schemas";
import { Attempts } from "@/kit/delivery/Attempts";
import { DeliveryStatusBadge } from "@/kit/delivery/badges";
import type { DeliveryStatus } from "@/kit/delivery/schemas";
import { said } from "@/kit/problem";
import { Asked } from "@/kit/states/Asked";
import { Loading } from "@/kit/states/Loading";

interface Props {
  opened: boolean;
  integration: Integration;
  onClose: () => void;
}

/** Sends one message for real, and shows what the service says to it, until it has ended. */
export function TestSend({ opened, integration, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`A test of ${integration.name}`} centered>
      <Content integration={integration} onClose={onClose} />
    </Modal>
  );
}

function Content({ integration: { id, leadsTo }, onClose }: Omit<Props, "opened">) {
  const send = useTryIntegration();
  return (
    <Stack>
      <Text size="sm">A real message goes to {leadsTo}</Text>
      {send.error !== null && (
        <Alert color="red" role="alert">
          {said(send.error)}
        </Alert>
      )}
      {send.data !== undefined && <Followed key={send.data} id={id} deliveryId={send.data} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          data-autofocus
          leftSection={<IconSend size={16} />}
          loading={send.isPending}
          onClick={() => send.mutate(id)}
        >
          {send.data === undefined ? "Send the test" : "Send another"}
        </Button>
      </Group>
    </Stack>
  );
}

function Followed({ id, deliveryId }: { id: string; deliveryId: string }) {
  return (
    <Asked query={useFollowedTrial(id, deliveryId)} loading={<Loading rows={1} height={28} />}>
      {(trial) => <Answer trial={trial} />}
    </Asked>
  );
}

const SAYS: Record<DeliveryStatus, string> = {
  pending: "Waits for its turn.",
  sending: "On its way.",
  deferred: "Not taken yet; it is tried again.",
  unknown: "It may have arrived; nobody can say.",
  sent: "The service took it.",
  skipped: "It was not sent.",
  failed: "It was not sent, and is not tried again.",
};

function Answer({ trial: { status, history } }: { trial: Trial }) {
  return (
    <Stack gap="sm">
      <Group gap="xs" role="status">
        <DeliveryStatusBadge status={status} />
        <Text size="sm">{SAYS[status]}</Text>
      </Group>
      {history.length > 0 && <Attempts of={history.map((attempt) => ({ ...attempt, providerName: null }))} />}
    </Stack>
  );
}
