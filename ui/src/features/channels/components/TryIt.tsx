import { Alert, Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { providersKeys } from "@/features/channels/keys";
import type { Provider } from "@/features/channels/schemas";
import { PersonSelect } from "@/kit/choose/PersonSelect";
import { useSendTest } from "@/kit/delivery/send-test";
import { TestAnswer } from "@/kit/delivery/TestAnswer";
import { Panel } from "@/kit/Panel";
import { said } from "@/kit/problem";

interface Props {
  provider: Provider;
  unsaved: boolean;
}

/** Sends one message for real, and shows what the provider says to it. */
export function TryIt({ provider, unsaved }: Props) {
  const send = useSendTest();
  const [person, setPerson] = useState<string | null>(null);
  const queries = useQueryClient();
  const refresh = useCallback(
    () => void queries.invalidateQueries({ queryKey: providersKeys.all }),
    [queries],
  );
  const { id, enabled } = provider;
  return (
    <Panel p="md">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Send a test
        </Title>
        <PersonSelect
          label="To"
          description="A real message, to their first address of this channel"
          value={person}
          onChange={setPerson}
        />
        <Group justify="space-between" gap="sm">
          <Text size="xs" c="dimmed" flex="1 1 160px">
            {hint(provider, unsaved)}
          </Text>
          <Button
            leftSection={<IconSend size={16} />}
            loading={send.isPending}
            disabled={person === null || !enabled}
            onClick={() => person !== null && send.mutate({ providerId: id, personId: person })}
          >
            Send the test
          </Button>
        </Group>
        {send.error !== null && (
          <Alert color="red" role="alert">
            {said(send.error)}
          </Alert>
        )}
        {send.data !== undefined && <TestAnswer key={send.data} deliveryId={send.data} onAttempt={refresh} />}
      </Stack>
    </Panel>
  );
}

function hint({ enabled, circuit }: Provider, unsaved: boolean): string {
  if (!enabled) return "Turn it on first.";
  if (circuit.state === "open") return "It rests: a test waits with the others, unless you resume it first.";
  return unsaved ? "What you have not saved is not tried." : "";
}
