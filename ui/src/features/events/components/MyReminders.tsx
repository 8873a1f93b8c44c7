import { ActionIcon, Group, Stack, Text } from "@mantine/core";
import { IconBell, IconBellPlus, IconX } from "@tabler/icons-react";
import { offsetInWords } from "@/features/events/logic/offsets";
import { useMyReminders } from "@/features/events/operations/list-my-reminders";
import { useRemoveReminder } from "@/features/events/operations/remove-reminder";
import type { Reminder } from "@/features/events/schemas";
import { Asked } from "@/kit/states/Asked";
import { Loading } from "@/kit/states/Loading";
import { warningWords } from "@/kit/theme";
import { When } from "@/kit/When";
import { fully } from "@/kit/time";

/** The reminders that are to come, with their times; they move when the event does. */
export function MyReminders({ eventId }: { eventId: number }) {
  const reminders = useMyReminders(eventId);
  const remove = useRemoveReminder(eventId);
  return (
    <Asked query={reminders} loading={<Loading rows={2} height={36} />}>
      {({ data }) =>
        data.length === 0 ? (
          <Text size="sm" c="dimmed">
            None to come.
          </Text>
        ) : (
          <Stack component="ul" gap="xs" m={0} p={0} aria-label="My reminders">
            {data.map((reminder) => (
              <One key={reminder.id} reminder={reminder} onRemove={() => remove.mutate(reminder.id)} />
            ))}
          </Stack>
        )
      }
    </Asked>
  );
}

function One({ reminder, onRemove }: { reminder: Reminder; onRemove: () => void }) {
  const { offsetSeconds, dueAt, lastError } = reminder;
  const Sign = offsetSeconds === null ? IconBellPlus : IconBell;
  const at = fully(dueAt);
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <Sign size={18} stroke={1.6} aria-hidden style={{ flex: "none", marginTop: 2 }} />
      <Stack gap={0} flex={1} miw={0}>
        <Text size="sm" className="numbers">
          <time dateTime={dueAt}>{at}</time>
        </Text>
        <Text size="xs" c="dimmed">
          {offsetSeconds === null ? "Remind me" : offsetInWords(offsetSeconds)}, <When at={dueAt} />
        </Text>
        {lastError !== null && (
          <Text size="xs" c={warningWords}>
            Tried again: {lastError}
          </Text>
        )}
      </Stack>
      {offsetSeconds === null && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove the reminder of ${at}`}
          onClick={onRemove}
        >
          <IconX size={16} />
        </ActionIcon>
      )}
    </Group>
  );
}
