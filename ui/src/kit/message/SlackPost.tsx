import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import classes from "@/kit/message/message.module.css";
import type { Message } from "@/kit/message/preview-message";
import { SenderSign } from "@/kit/message/SenderSign";

/** A post in a Slack channel. */
export function SlackPost({ message, sender }: { message: Message; sender: string }) {
  return (
    <Group className={classes.post ?? ""} gap="sm" align="flex-start" wrap="nowrap">
      <SenderSign of={sender} />
      <Stack gap={2} miw={0}>
        <Group gap={6}>
          <Text size="sm" fw={700}>
            {sender}
          </Text>
          <Badge size="xs" variant="default" radius="sm">
            App
          </Badge>
          <Text size="xs" c="dimmed">
            9:41
          </Text>
        </Group>
        {message.subject !== null && (
          <Text fw={700} className={classes.break ?? ""}>
            {message.subject}
          </Text>
        )}
        <Text size="sm" className={classes.plain ?? ""}>
          {message.text}
        </Text>
        {message.buttons !== undefined && message.buttons.length > 0 && (
          <Group gap="xs" mt={6}>
            {message.buttons.map(({ label, url }) => (
              <Button
                key={label}
                component="a"
                href={url}
                target="_blank"
                rel="noreferrer"
                size="xs"
                variant="default"
              >
                {label}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
    </Group>
  );
}
