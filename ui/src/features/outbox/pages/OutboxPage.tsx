import { Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconChecklist } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { IntentDrawer } from "@/features/outbox/components/IntentDrawer";
import { IntentTable } from "@/features/outbox/components/IntentTable";
import { Standing } from "@/features/outbox/components/Standing";
import { useOutboxStats } from "@/features/outbox/operations/get-stats";
import { useIntents } from "@/features/outbox/operations/list-intents";
import { useRedrive } from "@/features/outbox/operations/redrive";
import { type OutboxFilter, type OutboxStats } from "@/features/outbox/schemas";
import { intentStatuses } from "@/kit/outbox/statuses";
import { Confirm } from "@/kit/Confirm";
import { PageHead } from "@/kit/PageHead";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { Loading } from "@/kit/states/Loading";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/outbox");
const HALF = "calc(50% - 6px)";

/** What is scheduled, retrying, dead or without a worker, with reasons; and the deeds that help. */
export function OutboxPage() {
  const { intent, ...filter } = route.useSearch();
  const navigate = useNavigate({ from: "/outbox" });
  const stats = useOutboxStats();
  const intents = useIntents(filter);
  const narrow = (change: Partial<OutboxFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });
  const open = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, intent: id }) });

  return (
    <>
      <PageHead title="Outbox" about="What must happen, and has not yet: scheduled, retrying, dead.">
        {hasDead(stats.data, filter.kind) && <RedriveButton kind={filter.kind} />}
      </PageHead>
      <Stack>
        <Asked query={stats} loading={<Loading rows={1} height={58} />}>
          {(data) => <Standing stats={data} onChoose={(status) => narrow({ status })} />}
        </Asked>
        <Filters filter={filter} onChange={narrow} />
        <Panel>
          <Asked query={intents}>
            {(page) =>
              page.data.length === 0 ? (
                <Empty icon={IconChecklist} title="Nothing here">
                  {filter.status === "dead"
                    ? "No dead letters. That is how it should be."
                    : "No intents match. What your facts cause appears here by itself."}
                </Empty>
              ) : (
                <>
                  <IntentTable intents={page.data} onOpen={open} />
                  <Pager page={page} cursor={filter.cursor} onTurn={(cursor) => narrow({ cursor })} />
                </>
              )
            }
          </Asked>
        </Panel>
      </Stack>
      <IntentDrawer id={intent} onClose={() => open(undefined)} />
    </>
  );
}

function hasDead(stats: OutboxStats | undefined, kind: string | undefined): boolean {
  return (
    stats?.counts.some((count) => count.status === "dead" && (kind === undefined || count.kind === kind)) ??
    false
  );
}

function Filters({
  filter,
  onChange,
}: {
  filter: OutboxFilter;
  onChange: (change: Partial<OutboxFilter>) => void;
}) {
  const later = useDebouncedCallback(onChange, 300);
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label="State"
        placeholder="All"
        clearable
        data={intentStatuses}
        value={filter.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
        w={{ base: HALF, xs: 150 }}
      />
      <TextInput
        label="Kind"
        placeholder="order.paid"
        defaultValue={filter.kind ?? ""}
        onChange={(event) => later({ kind: event.currentTarget.value.trim() || undefined })}
        w={{ base: HALF, xs: 200 }}
      />
      <TextInput
        label="Key begins with"
        placeholder="reminder:"
        defaultValue={filter.keyPrefix ?? ""}
        onChange={(event) => later({ keyPrefix: event.currentTarget.value.trim() || undefined })}
        w={{ base: HALF, xs: 200 }}
      />
    </Group>
  );
}

function RedriveButton({ kind }: { kind: string | undefined }) {
  const may = useMay("admin");
  const redrive = useRedrive();
  const [asking, setAsking] = useState(false);
  if (!may) return null;
  const what = kind === undefined ? "every dead letter" : `every dead letter of ${kind}`;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Redrive dead letters…
      </Button>
      <Confirm
        opened={asking}
        title="Try the dead letters again?"
        deed="Redrive"
        danger={false}
        busy={redrive.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => redrive.mutate(kind, { onSettled: () => setAsking(false) })}
      >
        This tries {what} again, now, with all its attempts. What failed for a reason that is still there will
        fail again.
      </Confirm>
    </>
  );
}
