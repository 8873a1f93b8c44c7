import { ActionIcon, Indicator } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { useCallback, useState } from "react";
import { z } from "zod";
import { useLiveMessage } from "@/kit/live/live";

const counted = z.object({ unread: z.number().nullish() });

/** How much one has not read yet, as the socket tells it. */
export function Bell() {
  const [unread, setUnread] = useState(0);
  const heard = useCallback((message: z.infer<typeof counted>) => setUnread(message.unread ?? 0), []);
  useLiveMessage("ready", counted, heard);
  useLiveMessage("notification", counted, heard);
  useLiveMessage("changed", counted, heard);
  return (
    <Indicator label={unread > 99 ? "99+" : unread} disabled={unread === 0} size={16} offset={4}>
      <ActionIcon
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
