import { Button, Code, CopyButton, Group, Stack, Stepper, Tabs, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useBegin } from "@/features/overview/operations/begin";
import type { Overview } from "@/features/overview/schemas";
import { snippets } from "@/features/overview/snippets";
import { Panel } from "@/kit/Panel";
import { useMay } from "@/session/session";

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
      <Stepper active={step} orientation="vertical" size="sm" allowNextStepsSelect={false}>
        <Stepper.Step label="Emit a fact" description="In your own transaction, from any language">
          {step === 0 && <EmitStep />}
        </Stepper.Step>
        <Stepper.Step label="Add somebody to tell" description="A person with an address">
          {step === 1 && <DoStep what="person" deed="Add an example person" elsewhere="/settings/people" />}
        </Stepper.Step>
        <Stepper.Step label="Make a rule" description="Which facts, to whom, on which channel">
          {step === 2 && <DoStep what="rule" deed="Make an example rule" elsewhere="/rules" />}
        </Stepper.Step>
        <Stepper.Step label="See it arrive" description="One more fact, and look into the sandbox">
          {step === 3 && <DoStep what="fact" deed="Emit order.paid again" elsewhere="/sandbox" />}
        </Stepper.Step>
      </Stepper>
    </Panel>
  );
}

function EmitStep() {
  return (
    <Stack gap="sm" py="xs">
      <Tabs defaultValue="python">
        <Tabs.List>
          {snippets.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ id, label, text }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <Code block tabIndex={0} role="region" aria-label={`${label} example`}>
              {text(location.origin)}
            </Code>
            <CopyButton value={text(location.origin)}>
              {({ copied, copy }) => (
                <Button mt="xs" size="compact-sm" variant="light" onClick={copy}>
                  {copied ? "Copied" : "Copy"}
                </Button>
              )}
            </CopyButton>
          </Tabs.Panel>
        ))}
      </Tabs>
      <DoStep what="fact" deed="Emit it from here" />
    </Stack>
  );
}

interface DoProps {
  what: "fact" | "person" | "rule";
  deed: string;
  /** Where one does it by oneself. */
  elsewhere?: string;
}

function DoStep({ what, deed, elsewhere }: DoProps) {
  const begin = useBegin();
  const may = useMay("admin");
  return (
    <Group gap="xs" py="xs">
      {may && (
        <Button size="xs" loading={begin.isPending} onClick={() => begin.mutate(what)}>
          {deed}
        </Button>
      )}
      {elsewhere !== undefined && (
        <Button size="xs" variant="default" component={Link} to={elsewhere}>
          {elsewhere === "/sandbox" ? "Open the sandbox" : "Do it yourself"}
        </Button>
      )}
    </Group>
  );
}
