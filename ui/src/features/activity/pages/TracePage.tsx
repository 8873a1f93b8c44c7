import { Alert, Anchor, Stack, Title, useMantineTheme } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconRoute, IconUsers } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { DeliveryDrawer } from "@/features/activity/components/DeliveryDrawer";
import { PersonSelect } from "@/kit/choose/PersonSelect";
import { people } from "@/kit/delivery/tally";
import { useFact } from "@/features/activity/operations/get-fact";
import { useTrace } from "@/features/activity/operations/trace-fact";
import type { Fact } from "@/features/activity/schemas";
import { stepsOf } from "@/features/activity/trace/building";
import { flowOf } from "@/features/activity/trace/flow";
import type { Trace } from "@/features/activity/trace/schemas";
import { StepDrawer } from "@/features/activity/trace/StepDrawer";
import { everyStep } from "@/features/activity/trace/steps";
import { TraceFlow } from "@/features/activity/trace/TraceFlow";
import { TraceTimeline } from "@/features/activity/trace/TraceTimeline";
import classes from "@/features/activity/trace/Trace.module.css";
import { Copied } from "@/kit/Copied";
import { Details } from "@/kit/Details";
import { Json } from "@/kit/Json";
import { PageHead } from "@/kit/PageHead";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { exactly, viewersZone } from "@/kit/time";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/activity/$factId");

/** Everything that one fact caused, as a picture from the fact to the receipt. */
export function TracePage() {
  const { factId } = route.useParams();
  return useMay("admin") ? <Whole id={factId} /> : <Bare id={factId} />;
}

function Whole({ id }: { id: string }) {
  const trace = useTrace(id);
  return <Asked query={trace}>{(found) => <Picture trace={found} asOf={trace.dataUpdatedAt} />}</Asked>;
}

function Picture({ trace, asOf }: { trace: Trace; asOf: number }) {
  const { step, delivery } = route.useSearch();
  const navigate = useNavigate({ from: "/activity/$factId" });
  const wide = useMediaQuery(`(min-width: ${useMantineTheme().breakpoints.sm})`);
  const root = useMemo(() => stepsOf(trace, asOf), [trace, asOf]);
  const open = (id: string | undefined) => {
    const [kind, own] = id?.split(":") ?? [];
    void navigate({ search: kind === "delivery" ? { delivery: own } : { step: id } });
  };
  return (
    <>
      <Head trace={trace} />
      <Stack className={classes.tones ?? ""}>
        {trace.truncated && <Aggregated trace={trace} />}
        {trace.listeners.length === 0 && trace.notices.length === 0 && <NobodyAsked type={trace.fact.type} />}
        {wide && root.steps.length > 0 && (
          <Panel p="md">
            <TraceFlow flow={flowOf(trace, root)} onOpen={open} />
          </Panel>
        )}
        <Panel pb="xs">
          <Title order={2} size="h5" p="sm" pb={0}>
            Step by step
          </Title>
          <TraceTimeline root={root} onOpen={open} />
        </Panel>
      </Stack>
      <StepDrawer
        trace={trace}
        step={everyStep(root).find(({ id }) => id === step)}
        onClose={() => open(undefined)}
      />
      <DeliveryDrawer id={delivery} onClose={() => open(undefined)} />
    </>
  );
}

function Head({ trace: { fact } }: { trace: Trace }) {
  const navigate = useNavigate();
  const ask = (person: string | null) =>
    void navigate({ to: "/activity/why", search: { person: person ?? undefined, fact: fact.id } });
  return (
    <PageHead
      title={fact.type}
      about={
        <>
          <Anchor component={Link} to="/activity" size="sm" underline="always">
            Activity
          </Anchor>
          , recorded {exactly(fact.occurredAt)}, {viewersZone()}
        </>
      }
    >
      <PersonSelect label="Why did they (not) get it?" value={null} onChange={ask} w={240} />
    </PageHead>
  );
}

function Aggregated({ trace }: { trace: Trace }) {
  const all = trace.notices.reduce((sum, notice) => sum + notice.tally.people, 0);
  return (
    <Alert variant="default" icon={<IconUsers size={18} />} title={`Told to ${people(all)}`}>
      Each notice counts all of them. Channels are counted over the first {people(trace.counted)}; one by one
      you see {trace.notifications.length}.
    </Alert>
  );
}

function NobodyAsked({ type }: { type: string }) {
  return (
    <Alert variant="default" icon={<IconRoute size={18} />} title="No rule is for it">
      No rule and no listener was asked about this fact, or not yet.{" "}
      <Anchor
        component={Link}
        to={`/rules/new?factType=${encodeURIComponent(type)}`}
        size="sm"
        underline="always"
      >
        Make a rule
      </Anchor>{" "}
      for its type, and the next one is told.
    </Alert>
  );
}

/** For a member: the fact itself. What it caused is for admins. */
function Bare({ id }: { id: string }) {
  return <Asked query={useFact(id)}>{(fact) => <OneFact fact={fact} />}</Asked>;
}

function OneFact({ fact }: { fact: Fact }) {
  return (
    <>
      <PageHead title={fact.type} about={`Recorded ${exactly(fact.occurredAt)}, ${viewersZone()}`} />
      <Stack>
        <Panel p="md">
          <Details
            of={[
              ["Stream", fact.stream && `${fact.stream.type} ${fact.stream.id}`],
              ["Id", <Copied key="id" text={fact.id} />],
            ]}
          />
          <Json value={fact.data} label="Data" />
        </Panel>
        <Panel>
          <Empty icon={IconRoute} title="What it caused is for admins">
            An admin of this tenant sees the whole way of a fact, to every receipt.
          </Empty>
        </Panel>
      </Stack>
    </>
  );
}
