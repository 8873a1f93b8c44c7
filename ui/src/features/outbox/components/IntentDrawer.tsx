import { Anchor, Button, Drawer, Group, Stack, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { IntentStatusBadge } from "@/kit/outbox/IntentStatusBadge";
import { Reschedule } from "@/features/outbox/components/Reschedule";
import { useActOnIntent } from "@/features/outbox/operations/act-on-intent";
import { useIntent } from "@/features/outbox/operations/get-intent";
import type { Intent } from "@/features/outbox/schemas";
import { Confirm } from "@/kit/Confirm";
import { Copied } from "@/kit/Copied";
import { Details } from "@/kit/Details";
import { Json } from "@/kit/Json";
import { Asked } from "@/kit/states/Asked";
import { exactly } from "@/kit/time";
import { useMay } from "@/session/session";

interface Props {
  id: string | undefined;
  onClose: () => void;
}

/** One intent: what it is, why it stands where it stands, and what can be done about it. */
export function IntentDrawer({ id, onClose }: Props) {
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="lg" title="Intent">
      {id !== undefined && <Content id={id} />}
    </Drawer>
  );
}

function Content({ id }: { id: string }) {
  return <Asked query={useIntent(id)}>{(intent) => <Shown intent={intent} />}</Asked>;
}

function Shown({ intent }: { intent: Intent }) {
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {intent.kind}
        </Title>
        <IntentStatusBadge status={intent.status} />
      </Group>
      <Deeds intent={intent} />
      <Details
        of={[
          ["Last error", intent.lastError],
          ["Attempts", `${intent.attempts}${intent.maxAttempts === null ? "" : ` of ${intent.maxAttempts}`}`],
          ["Crashes", intent.crashes === 0 ? null : intent.crashes],
          ["Due", exactly(intent.dueAt)],
          ["Runs", exactly(intent.runAt)],
          ["Finished", intent.finishedAt && exactly(intent.finishedAt)],
          ["Key", intent.key],
          ["Stream", intent.stream],
          ["Fact", intent.factId && <FactLink id={intent.factId} />],
          ["Id", <Copied key="id" text={intent.id} />],
        ]}
      />
      <Json value={intent.payload} label="Payload" />
    </Stack>
  );
}

function FactLink({ id }: { id: string }) {
  return (
    <Anchor component={Link} to={`/activity/${id}`} size="sm">
      Its trace
    </Anchor>
  );
}

function Deeds({ intent }: { intent: Intent }) {
  const act = useActOnIntent(intent.id);
  const may = useMay("admin");
  const [asking, setAsking] = useState(false);
  const open = intent.status === "pending" || intent.status === "failed";
  const dead = intent.status === "dead" || intent.status === "cancelled";
  if (!may || !(open || dead)) return null;
  return (
    <Group gap="xs">
      <Button size="xs" loading={act.isPending} onClick={() => act.mutate({ do: "retry" })}>
        {open ? "Run now" : "Try again"}
      </Button>
      {open && (
        <Reschedule runAt={intent.runAt} onChosen={(runAt) => act.mutate({ do: "reschedule", runAt })} />
      )}
      {open && (
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          Cancel…
        </Button>
      )}
      <Confirm
        opened={asking}
        title="Cancel this intent?"
        deed="Cancel it"
        busy={act.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => act.mutate({ do: "cancel" }, { onSettled: () => setAsking(false) })}
      >
        {intent.kind} will not happen. It stays on record, and can be tried again from there.
      </Confirm>
    </Group>
  );
}
