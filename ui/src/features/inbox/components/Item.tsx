import { ActionIcon, Anchor, Group, Stack, Text, Tooltip } from "@mantine/core";
import { IconArchive, IconArchiveOff, IconMail, IconMailOpened } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import classes from "@/features/inbox/components/Item.module.css";
import type { Mark } from "@/features/inbox/operations/mark";
import type { Notification } from "@/features/inbox/schemas";
import { StatusBadge } from "@/kit/StatusBadge";
import type { Meaning } from "@/kit/theme";
import { When } from "@/kit/When";
import { useMay } from "@/session/session";

const MEANS: Record<Notification["level"], Meaning> = { info: "busy", warning: "warning", critical: "bad" };

interface Props {
  notification: Notification;
  onMark: (as: Mark) => void;
}

export function Item({ notification, onMark }: Props) {
  const { title, body, level, category, createdAt, readAt, archivedAt, personId, factId } = notification;
  return (
    <Group
      component="article"
      className={classes.item}
      data-unread={readAt === null || undefined}
      wrap="nowrap"
    >
      <Stack gap={2} miw={0} flex={1}>
        <Group gap="xs">
          <Text fw={readAt === null ? 650 : 450} component="h2" size="md" m={0}>
            {title}
          </Text>
          {level !== "info" && <StatusBadge status={level} means={MEANS[level]} />}
        </Group>
        {body !== "" && (
          <Text size="sm" className={classes.body}>
            {body}
          </Text>
        )}
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {category}, <When at={createdAt} />
          </Text>
          {factId !== null && <Ways personId={personId} factId={factId} />}
        </Group>
      </Stack>
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
    </Group>
  );
}

/** From what one was told to where it came from, for who may see that. */
function Ways({ personId, factId }: { personId: string; factId: string }) {
  if (!useMay("admin")) return null;
  return (
    <>
      <Anchor component={Link} to={`/activity/${factId}`} size="xs">
        Where it came from
      </Anchor>
      <Anchor component={Link} to={`/activity/why?person=${personId}&fact=${factId}`} size="xs">
        Why me?
      </Anchor>
    </>
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
