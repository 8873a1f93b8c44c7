import { Badge, Text, Tooltip } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { nameOf } from "@/kit/matter/words";
import type { Notification } from "@/kit/matter/schemas";

/** That it is one matter for all who were told, and who has read it for them. */
export function Shared({ notification: { readBy, personId } }: { notification: Notification }) {
  return (
    <>
      <Tooltip label="One for all who were told: who reads it, reads it for all" withArrow>
        <Badge
          variant="default"
          tt="none"
          fw={500}
          leftSection={<IconUsers size={13} stroke={1.6} aria-hidden />}
        >
          shared
        </Badge>
      </Tooltip>
      {readBy !== null && (
        <Text size="xs" c="dimmed" component="span">
          read by {nameOf(readBy, personId)}
        </Text>
      )}
    </>
  );
}
