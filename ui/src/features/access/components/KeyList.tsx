import { Button, Code, Group, Stack, Text, Tooltip } from "@mantine/core";
import { useState } from "react";
import { scopesInWords } from "@/features/access/logic/scopes";
import { stateOf, type KeyState } from "@/features/access/logic/standing";
import { useUserNames } from "@/features/access/operations/list-users";
import { useRevokeApiKey } from "@/features/access/operations/revoke-api-key";
import type { ApiKey } from "@/features/access/schemas";
import { Confirm } from "@/kit/Confirm";
import { Row, Rows } from "@/kit/Rows";
import { StatusBadge } from "@/kit/StatusBadge";
import type { Meaning } from "@/kit/theme";
import { briefly } from "@/kit/time";
import { When } from "@/kit/When";
import { useSession } from "@/session/session";

const MEANS: Record<KeyState, Meaning> = { "in use": "good", expired: "waiting", revoked: "waiting" };

export function KeyList({ keys }: { keys: readonly ApiKey[] }) {
  const names = useUserNames();
  const { userId } = useSession();
  const whose = (id: string) => (id === userId ? "you" : (names[id] ?? "somebody who is no user here"));
  return (
    <Rows label="API keys" columns="minmax(0, 1.3fr) minmax(0, 1.6fr) minmax(0, 1fr) 90px" deeds="84px">
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} whose={whose(key.userId)} />
      ))}
    </Rows>
  );
}

function KeyRow({ apiKey, whose }: { apiKey: ApiKey; whose: string }) {
  const state = stateOf(apiKey);
  return (
    <Row faint={state !== "in use"} deeds={state !== "revoked" && <Revoke apiKey={apiKey} />}>
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {apiKey.name}
        </Text>
        <Text size="xs" c="dimmed">
          made <When at={apiKey.createdAt} />, acts as {whose}
        </Text>
      </Stack>
      <Tooltip label={apiKey.scopes.join(", ")} multiline maw={320} withArrow>
        <Code w="fit-content">{scopesInWords(apiKey.scopes)}</Code>
      </Tooltip>
      <Text size="sm" c="dimmed">
        {ends(apiKey, state)}
      </Text>
      <Group>
        <StatusBadge status={state} means={MEANS[state]} />
      </Group>
    </Row>
  );
}

function ends({ expiresAt, revokedAt }: ApiKey, state: KeyState): string {
  if (revokedAt !== null) return `revoked ${briefly(revokedAt)}`;
  if (expiresAt === null) return "does not expire";
  return `${state === "expired" ? "expired" : "until"} ${briefly(expiresAt)}`;
}

function Revoke({ apiKey }: { apiKey: ApiKey }) {
  const revoke = useRevokeApiKey();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        aria-label={`Revoke ${apiKey.name}…`}
        onClick={() => setAsking(true)}
      >
        Revoke…
      </Button>
      <Confirm
        opened={asking}
        title={`Revoke ${apiKey.name}?`}
        deed="Revoke it"
        busy={revoke.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => revoke.mutate(apiKey.id, { onSettled: () => setAsking(false) })}
      >
        Whatever uses this key is refused from now on, at once and for good. A new key takes its place; this
        one cannot come back.
      </Confirm>
    </>
  );
}
