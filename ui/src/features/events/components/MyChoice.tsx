import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { OffsetsField } from "@/features/events/components/OffsetsField";
import { PlacesField } from "@/features/events/components/PlacesField";
import { choiceOf, isSame, type Choice } from "@/features/events/logic/choice";
import { useChangeMySubscription } from "@/features/events/operations/change-my-subscription";
import type { Subscription } from "@/features/events/schemas";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { Problem, said } from "@/kit/problem";

interface Props {
  eventId: number;
  subscription: Subscription;
}

/** When and where I hear of it. What another window changed is taken over where nothing is written here. */
export function MyChoice({ eventId, subscription }: Props) {
  const change = useChangeMySubscription(eventId);
  const saved = choiceOf(subscription);
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState(saved);
  const unsaved = !isSame(base, draft);
  const adopt = (choice: Choice) => {
    setBase(choice);
    setDraft(choice);
  };
  if (!unsaved && !isSame(base, saved)) adopt(saved);
  const fault = change.error instanceof Problem ? faultAt(change.error) : undefined;
  return (
    <Stack gap="md">
      <LeaveGuard unsaved={unsaved && !change.isPending} />
      <OffsetsField value={draft.offsets} onChange={(offsets) => setDraft((now) => ({ ...now, offsets }))} />
      <PlacesField
        value={draft.places}
        error={fault}
        onChange={(places) => setDraft((now) => ({ ...now, places }))}
      />
      {change.error !== null && fault === undefined && (
        <Alert color="red" role="alert">
          {said(change.error)}
        </Alert>
      )}
      {unsaved && (
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed" role="status">
            Not saved yet
          </Text>
          <Group gap="xs">
            <Button variant="default" size="xs" onClick={() => setDraft(base)}>
              Undo
            </Button>
            <Button
              size="xs"
              loading={change.isPending}
              onClick={() => change.mutate(draft, { onSuccess: (mine) => adopt(choiceOf(mine)) })}
            >
              Save
            </Button>
          </Group>
        </Group>
      )}
    </Stack>
  );
}

/** What the server says of a selector, wherever in the list it stands. */
function faultAt({ fields }: Problem): string | undefined {
  return Object.entries(fields).find(([field]) => field.startsWith("selectors"))?.[1];
}
