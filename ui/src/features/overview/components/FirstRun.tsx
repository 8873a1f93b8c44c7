import {
  Button,
  Code,
  CopyButton,
  Group,
  Stack,
  Tabs,
  Text,
  ThemeIcon,
  Timeline,
  Title,
} from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useBegin } from "@/features/overview/operations/begin";
import type { Overview } from "@/features/overview/schemas";
import { snippets } from "@/features/overview/snippets";
import { Panel } from "@/kit/Panel";
import { meaning } from "@/kit/theme";
import { useMay, useSession } from "@/session/session";

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
          {step === 2 && <DoStep what="rule" deed="Make an example rule" elsewhere="/rules" />}
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

function EmitStep() {
  const { tenant, email } = useSession();
  const ways = snippets(location.origin, tenant, email);
  return (
    <Stack gap="sm" py="xs">
      <Tabs defaultValue="python">
        <Tabs.List>
          {ways.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {ways.map(({ id, label, text, about }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <Code block tabIndex={0} role="region" aria-label={`${label} example`}>
              {text}
            </Code>
            <Group mt="xs" gap="sm">
              <CopyButton value={text}>
                {({ copied, copy }) => (
                  <Button size="compact-sm" variant="light" onClick={copy}>
                    {copied ? "Copied" : "Copy"}
                  </Button>
                )}
              </CopyButton>
              <Text size="xs" c="dimmed">
                {about} This page notices by itself.
              </Text>
            </Group>
          </Tabs.Panel>
        ))}
      </Tabs>
      <DoStep what="fact" deed="Emit it from here" />
    </Stack>
  );
}

/** The end of the way, for who went it on this page. */
export function Arrived() {
  return (
    <Panel p="lg">
      <Group justify="space-between">
        <Group wrap="nowrap" align="flex-start">
          <ThemeIcon color={meaning.good} variant="light" radius="xl" size="lg" aria-hidden>
            <IconCheck size={20} />
          </ThemeIcon>
          <Stack gap={2}>
            <Title order={2} size="h4">
              Your first message has arrived
            </Title>
            <Text c="dimmed" size="sm">
              The sandbox kept it. With a provider of your own, the next one reaches its person.
            </Text>
          </Stack>
        </Group>
        <Group gap="xs">
          <Button size="xs" component={Link} to="/sandbox">
            Look at it
          </Button>
          <Button size="xs" variant="default" component={Link} to="/channels">
            Set up a provider
          </Button>
        </Group>
      </Group>
    </Panel>
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
