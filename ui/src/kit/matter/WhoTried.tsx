import { Group, Stack, Text } from "@mantine/core";
import { useTried } from "@/kit/matter/list-tried";
import type { Acted } from "@/kit/matter/schemas";
import { howInWords, nameOf } from "@/kit/matter/words";
import { Asked } from "@/kit/states/Asked";
import { Loading } from "@/kit/states/Loading";
import { StatusBadge } from "@/kit/StatusBadge";
import { exactly } from "@/kit/time";

/** Everybody who acted on the matter of a notification, or tried to. */
export function WhoTried({ notificationId, me }: { notificationId: string; me: string | null }) {
  const tried = useTried(notificationId);
  return (
    <Asked query={tried} loading={<Loading rows={1} height={24} />}>
      {(all) =>
        all.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nobody has acted yet.
          </Text>
        ) : (
          <Stack gap={4} component="ul" m={0} p={0} aria-label="Who acted" style={{ listStyle: "none" }}>
            {all.map((each) => (
              <One key={each.id} acted={each} me={me} />
            ))}
          </Stack>
        )
      }
    </Asked>
  );
}

function One({ acted, me }: { acted: Acted; me: string | null }) {
  const { action, by, at, won, note } = acted;
  return (
    <Group component="li" gap="xs">
      <StatusBadge status={won ? "the first" : "too late"} means={won ? "good" : "waiting"} />
      <Text size="sm">
        {howInWords(action)} by {nameOf(by, me)}, {exactly(at)}
        {note !== null && `, “${note}”`}
      </Text>
    </Group>
  );
}
