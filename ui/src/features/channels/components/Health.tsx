import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { Standing } from "@/features/channels/components/Standing";
import { useCloseCircuit } from "@/features/channels/operations/close-circuit";
import type { Provider } from "@/features/channels/schemas";
import { Confirm } from "@/kit/Confirm";
import { Details } from "@/kit/Details";
import { Panel } from "@/kit/Panel";
import { exactly } from "@/kit/time";
import { When } from "@/kit/When";

/** Whether it works, what it said last, and the way back to work. */
export function Health({ provider }: { provider: Provider }) {
  return (
    <Panel p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            Health
          </Title>
          <Standing provider={provider} />
        </Group>
        <Text size="sm">{inWords(provider)}</Text>
        <Details of={facts(provider)} />
        {provider.circuit.state !== "closed" && <Resume provider={provider} />}
      </Stack>
    </Panel>
  );
}

function inWords({ enabled, circuit, type }: Provider): string {
  if (!enabled) return "What is meant for it waits, or goes through another of its channel.";
  if (circuit.state === "open") return "It failed too often. Nothing is sent through it for a while.";
  if (circuit.state === "trying") return "It rested, and is tried with one delivery at a time.";
  if (type === "sandbox") return "It keeps what it is given. Nothing leaves the house.";
  return circuit.failures === 0
    ? "It takes what it is given."
    : "It failed the last time, and is still in use.";
}

function facts({ circuit }: Provider): [string, ReactNode][] {
  const found: [string, ReactNode][] = [
    ["Failures in a row", circuit.failures],
    ["Last failure", circuit.lastErrorAt === null ? "never" : <When key="last" at={circuit.lastErrorAt} />],
  ];
  if (circuit.lastError !== null) found.push(["It said", circuit.lastError]);
  if (circuit.state === "open" && circuit.openUntil !== null)
    found.push(["Rests until", exactly(circuit.openUntil)]);
  return found;
}

function Resume({ provider }: { provider: Provider }) {
  const close = useCloseCircuit(provider.id);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Group>
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          Resume now…
        </Button>
      </Group>
      <Confirm
        opened={asking}
        title={`Resume ${provider.name}?`}
        deed="Resume"
        danger={false}
        busy={close.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => close.mutate(undefined, { onSettled: () => setAsking(false) })}
      >
        Its circuit is closed, and what waits behind it goes out at once. Where what was wrong is still wrong,
        it fails again and rests again.
      </Confirm>
    </>
  );
}
