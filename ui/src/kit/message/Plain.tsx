import { Paper, Text } from "@mantine/core";
import classes from "@/kit/message/message.module.css";
import type { Message } from "@/kit/message/preview-message";

/** A card, as in the inbox. */
export function Plain({ message }: { message: Message }) {
  return (
    <Paper withBorder p="md">
      {message.subject !== null && (
        <Text fw={620} mb={2} className={classes.break ?? ""}>
          {message.subject}
        </Text>
      )}
      <Text size="sm" className={classes.plain ?? ""}>
        {message.text}
      </Text>
    </Paper>
  );
}
