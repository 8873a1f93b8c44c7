import { Text, Timeline, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { DoStep } from "@/features/overview/components/DoStep";
import { EmitStep } from "@/features/overview/components/EmitStep";
import type { Overview } from "@/features/overview/schemas";
import { Panel } from "@/kit/Panel";

/** From nothing to the first message, by the hand. Each step notices by itself when it is done. */
export function FirstRun({ begun }: { begun: Overview["begun"] }) {
  const step = !begun.fact ? 0 : !begun.person ? 1 : !begun.rule ? 2 : 3;
  return (
    <Panel p="lg">
      <Title order={2} size="h4" mb={4}>
        Your first message
      </Title>
      <Text c="dimmed" size="sm" mb="lg">
        A fact happens, a rule says who hears of it, and a message arrives. Here it stays in the sandbox:
        nothing leaves this machine.
      </Text>
      <Timeline active={step} bulletSize={26} lineWidth={2}>
        <Timeline.Item {...shown(0, step)} title="Emit a fact">
          <About>In your own transaction, from any language</About>
          {step === 0 && <EmitStep />}
        </Timeline.Item>
        <Timeline.Item {...shown(1, step)} title="Add somebody to tell">
          <About>A person with an address</About>
          {step === 1 && <DoStep what="person" deed="Add an example person" elsewhere="/settings/people" />}
        </Timeline.Item>
        <Timeline.Item {...shown(2, step)} title="Make a rule">
          <About>Which facts, to whom, on which channel</About>
          {step === 2 && (
            <DoStep what="rule" deed="Make an example rule" elsewhere="/rules/new?factType=order.paid" />
          )}
        </Timeline.Item>
        <Timeline.Item {...shown(3, step)} title="See it arrive">
          <About>One more fact, and look into the sandbox</About>
          {step === 3 && <DoStep what="fact" deed="Emit order.paid again" elsewhere="/sandbox" />}
        </Timeline.Item>
      </Timeline>
    </Panel>
  );
}

function shown(place: number, step: number) {
  const bullet =
    place < step ? (
      <IconCheck size={15} aria-label="done" />
    ) : (
      <Text size="xs" fw={600}>
        {place + 1}
      </Text>
    );
  return { bullet, "aria-current": place === step ? ("step" as const) : undefined };
}

function About({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
