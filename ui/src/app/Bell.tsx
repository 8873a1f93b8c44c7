import { ActionIcon, Indicator } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useUnread } from "@/kit/live/live";

/** The way to the inbox, with how much one has not read. */
export function Bell() {
  const unread = useUnread();
  return (
    <Indicator label={unread > 99 ? "99+" : unread} disabled={unread === 0} size={16} offset={4}>
      <ActionIcon
        component={Link}
        to="/inbox"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={unread === 0 ? "Inbox" : `Inbox, ${unread} unread`}
      >
        <IconBell size={19} stroke={1.7} />
      </ActionIcon>
    </Indicator>
  );
}
