import { Group, Stack, Text } from "@mantine/core";
import { SenderSign } from "@/kit/message/SenderSign";
import classes from "@/kit/message/message.module.css";
import type { Message } from "@/kit/message/preview-message";

/** On a phone's locked screen. */
export function Push({ message, sender }: { message: Message; sender: string }) {
  return (
    <div className={classes.screen}>
      <Text className={classes.clock ?? ""} aria-hidden>
        9:41
      </Text>
      <Group className={classes.banner ?? ""} gap="sm" align="flex-start" wrap="nowrap">
        <SenderSign of={sender} />
        <Stack gap={0} miw={0} flex={1}>
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm" fw={640} className={classes.break ?? ""}>
              {message.subject ?? sender}
            </Text>
            <Text size="xs" className={classes.faint ?? ""} flex="none">
              now
            </Text>
          </Group>
          <Text size="sm" className={classes.plain ?? ""} lineClamp={6}>
            {message.text}
          </Text>
        </Stack>
      </Group>
    </div>
  );
}
