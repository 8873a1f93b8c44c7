import { Anchor, Button, Drawer, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { tallied } from "@/kit/delivery/tally";
import { CHOSEN, choseInVain } from "@/features/activity/trace/building";
import { offset } from "@/features/activity/trace/scale";
import type { Trace } from "@/features/activity/trace/schemas";
import { KINDS } from "@/features/activity/trace/StepSign";
import type { Step } from "@/features/activity/trace/steps";
import { Copied } from "@/kit/Copied";
import { Details } from "@/kit/Details";
import { Json } from "@/kit/Json";
import { StatusBadge } from "@/kit/StatusBadge";
import { exactly } from "@/kit/time";

interface Props {
  trace: Trace;
  step: Step | undefined;
  onClose: () => void;
}

/** One step of the trace, in full. */
export function StepDrawer({ trace, step, onClose }: Props) {
  return (
    <Drawer
      opened={step !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={step === undefined ? "" : KINDS[step.kind]}
    >
      {step !== undefined && (
        <Stack>
          <Title order={2} size="h4">
            {step.title}
          </Title>
          <Text size="sm">{step.words}</Text>
          <Inside trace={trace} step={step} />
        </Stack>
      )}
    </Drawer>
  );
}

function Inside({ trace, step }: { trace: Trace; step: Step }) {
  const [kind, id] = parted(step.id);
  switch (kind) {
    case "fact":
      return <OfFact trace={trace} />;
    case "intent":
      return <OfIntent trace={trace} id={id} />;
    case "listener":
      return <OfListener trace={trace} id={id} />;
    case "notice":
      return <OfNotice trace={trace} id={id} />;
    case "silence":
      return <OfSilence trace={trace} id={id} />;
    case "caused":
      return <To to={`/activity/${id}`}>Its own trace</To>;
    default:
      return <Details of={[["After the fact", offset(step.at)]]} />;
  }
}

function parted(id: string): [string, string] {
  const cut = id.indexOf(":");
  return [id.slice(0, cut), id.slice(cut + 1)];
}

function To({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Group>
      <Button component={Link} to={to} size="xs" variant="default">
        {children}
      </Button>
    </Group>
  );
}

function OfFact({ trace: { fact } }: { trace: Trace }) {
  return (
    <>
      <Details
        of={[
          ["Recorded", exactly(fact.occurredAt)],
          ["Stream", fact.stream && `${fact.stream.type} ${fact.stream.id}`],
          ["Id", <Copied key="id" text={fact.id} />],
        ]}
      />
      <Json value={fact.data} label="Data" />
      <Json value={fact.metadata} label="Metadata" />
    </>
  );
}

function OfIntent({ trace, id }: { trace: Trace; id: string }) {
  const intent = trace.intents.find((one) => one.id === id);
  if (intent === undefined) return null;
  return (
    <>
      <To to={`/outbox?intent=${id}`}>In the outbox</To>
      <Details
        of={[
          ["Kind", intent.kind],
          ["State", intent.status],
          ["Attempts", intent.attempts],
          ["Last error", intent.lastError],
          ["Runs", exactly(intent.runAt)],
          ["Finished", intent.finishedAt && exactly(intent.finishedAt)],
        ]}
      />
    </>
  );
}

function OfListener({ trace, id }: { trace: Trace; id: string }) {
  const found = trace.listeners.find((one) => one.listener === id);
  if (found === undefined) return null;
  const { rule, ruleVersion, versionNow } = found;
  const changed = versionNow !== null && versionNow !== ruleVersion;
  return (
    <>
      {rule !== null && versionNow !== null && (
        <To to={`/rules/${id.replace("rule:", "")}`}>Open the rule</To>
      )}
      <Details
        of={[
          ["Verdict", found.verdict],
          [
            "Told somebody",
            <StatusBadge
              key="told"
              status={found.told ? "yes" : "no"}
              means={found.told ? "good" : "waiting"}
            />,
          ],
          ["Asked", exactly(found.at)],
          ["Version", ruleVersion === null ? null : `${ruleVersion}${changed ? `, now ${versionNow}` : ""}`],
        ]}
      />
    </>
  );
}

function OfNotice({ trace, id }: { trace: Trace; id: string }) {
  const notice = trace.notices.find((one) => one.id === id);
  if (notice === undefined) return null;
  return (
    <>
      <To to={`/activity/deliveries?noticeId=${id}`}>All its deliveries</To>
      <Details
        of={[
          ["How it stands", tallied(notice.tally)],
          ["Category", notice.category],
          ["Level", notice.level],
          ["Channels", notice.channels.join(", ")],
          ["Made", exactly(notice.createdAt)],
          ["Sent out", exactly(notice.runAt)],
          ["Settled", notice.tally.settledAt && exactly(notice.tally.settledAt)],
          ["Id", <Copied key="id" text={id} />],
        ]}
      />
    </>
  );
}

function OfSilence({ trace, id }: { trace: Trace; id: string }) {
  const [notice, channel = ""] = id.split(":");
  const silent =
    channel === CHOSEN
      ? choseInVain(trace)
      : trace.notifications.filter((one) => one.missing.includes(channel));
  const found = silent.filter((one) => one.noticeId === notice);
  return (
    <Stack gap="xs">
      {found.map(({ personId, personName }) => (
        <Anchor
          key={personId}
          component={Link}
          to={`/activity/why?person=${personId}&fact=${trace.fact.id}`}
          size="sm"
        >
          Why {personName ?? "somebody who was deleted"} did not get it
        </Anchor>
      ))}
    </Stack>
  );
}
