import { ActionIcon, Group, Stack, Text, Tooltip } from "@mantine/core";
import { IconArchive, IconArchiveOff, IconMail, IconMailOpened } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "@/features/inbox/components/Item.module.css";
import { Shared } from "@/features/inbox/components/Shared";
import { Ways } from "@/features/inbox/components/Ways";
import type { Mark } from "@/features/inbox/operations/mark";
import { Matter } from "@/kit/matter/Matter";
import type { Notification } from "@/kit/matter/schemas";
import { WhoTried } from "@/kit/matter/WhoTried";
import { StatusBadge } from "@/kit/StatusBadge";
import type { Meaning } from "@/kit/theme";
import { When } from "@/kit/When";

const MEANS: Record<Notification["level"], Meaning> = { info: "busy", warning: "warning", critical: "bad" };

interface Props {
  notification: Notification;
  /** Whether one sees who acted. */
  opened: boolean;
  onOpen: (opened: boolean) => void;
  onMark: (as: Mark) => void;
}

export function Item({ notification, opened, onOpen, onMark }: Props) {
  const { id, personId, title, body, level, category, createdAt, readAt, shared } = notification;
  return (
    <Group
      component="article"
      className={classes.item}
      data-unread={readAt === null || undefined}
      wrap="nowrap"
    >
      <Stack gap={6} miw={0} flex={1}>
        <Group gap="xs">
          <Text fw={readAt === null ? 650 : 450} component="h2" size="md" m={0}>
            {title}
          </Text>
          {level !== "info" && <StatusBadge status={level} means={MEANS[level]} />}
          {shared && <Shared notification={notification} />}
        </Group>
        {body !== "" && (
          <Text size="sm" className={classes.body}>
            {body}
          </Text>
        )}
        <Matter notification={notification} />
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {category}, <When at={createdAt} />
          </Text>
          <Ways notification={notification} opened={opened} onOpen={onOpen} />
        </Group>
        {opened && (
          <div id={`tried-${id}`}>
            <WhoTried notificationId={id} me={personId} />
          </div>
        )}
      </Stack>
      <Marks notification={notification} onMark={onMark} />
    </Group>
  );
}

function Marks({ notification: { readAt, archivedAt }, onMark }: Pick<Props, "notification" | "onMark">) {
  return (
    <Group gap={4} wrap="nowrap" flex="none">
      {readAt === null ? (
        <Deed says="Mark as read" onClick={() => onMark("read")} icon={<IconMailOpened size={18} />} />
      ) : (
        <Deed says="Mark as unread" onClick={() => onMark("unread")} icon={<IconMail size={18} />} />
      )}
      {archivedAt === null ? (
        <Deed says="Archive" onClick={() => onMark("archive")} icon={<IconArchive size={18} />} />
      ) : (
        <Deed
          says="Back to the inbox"
          onClick={() => onMark("unarchive")}
          icon={<IconArchiveOff size={18} />}
        />
      )}
    </Group>
  );
}

function Deed({ says, icon, onClick }: { says: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Tooltip label={says} withArrow>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={says} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
