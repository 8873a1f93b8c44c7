import { Anchor, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import classes from "@/features/reservations/components/History.module.css";
import type { Notice } from "@/features/reservations/schemas";
import { tallied } from "@/kit/delivery/tally";
import { StatusBadge } from "@/kit/StatusBadge";

/** One notice: what it says, to how many, how far it has gone; and the ways to who was told, and over what. */
export function NoticeLine({ notice }: { notice: Notice }) {
  const { id, title, level, shared, tally, closedReason } = notice;
  return (
    <div className={classes.notice}>
      <Group gap="xs">
        <Anchor component={Link} to={`/activity/notices?notice=${id}`} size="sm">
          {title}
        </Anchor>
        {level !== "info" && <StatusBadge status={level} means={level === "critical" ? "bad" : "warning"} />}
        {shared && <StatusBadge status="shared" means="waiting" />}
      </Group>
      <Group gap="xs">
        <Text size="xs" c="dimmed">
          {tallied(tally)}
          {closedReason !== null && ` · closed: ${closedReason}`}
        </Text>
        <Anchor
          component={Link}
          to={`/activity/deliveries?noticeId=${id}`}
          size="xs"
          aria-label={`Deliveries of ${title}`}
        >
          Deliveries
        </Anchor>
      </Group>
    </div>
  );
}
