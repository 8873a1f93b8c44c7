import { Button, Stack } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { IconInbox, IconUserQuestion } from "@tabler/icons-react";
import { Filters } from "@/features/inbox/components/Filters";
import { Item } from "@/features/inbox/components/Item";
import { useInbox } from "@/features/inbox/operations/list-inbox";
import { useMark } from "@/features/inbox/operations/mark";
import { useReadAll } from "@/features/inbox/operations/read-all";
import type { InboxFilter } from "@/features/inbox/searches";
import { useUnread } from "@/kit/live/live";
import { PageHead } from "@/kit/PageHead";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { isStatus } from "@/kit/problem";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/inbox");

/** What one was told, as it comes; and what one is asked to settle. */
export function InboxPage() {
  const { tried, ...filter } = route.useSearch();
  const navigate = useNavigate({ from: "/inbox" });
  const inbox = useInbox(filter);
  const mark = useMark();
  const unread = useUnread();
  const readAll = useReadAll();
  const narrow = (change: Partial<InboxFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, tried: undefined, ...change }) });
  const open = (id: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, tried: id }), replace: true, resetScroll: false });

  if (isStatus(inbox.error, 404)) return <NobodysInbox />;
  const shown = inbox.data?.data ?? [];
  return (
    <>
      <PageHead title={unread > 0 ? `Inbox (${unread})` : "Inbox"} about="What you were told, as it comes.">
        {unread > 0 && (
          <Button
            variant="default"
            loading={readAll.isPending}
            onClick={() => readAll.mutate(isNewest(filter) ? shown[0]?.id : undefined)}
          >
            Mark all as read
          </Button>
        )}
      </PageHead>
      <Stack>
        <Filters filter={filter} seen={shown.map(({ category }) => category)} onChange={narrow} />
        <Panel>
          <Asked query={inbox}>
            {(page) =>
              page.data.length === 0 ? (
                <Nothing filter={filter} />
              ) : (
                <>
                  {page.data.map((notification) => (
                    <Item
                      key={notification.id}
                      notification={notification}
                      opened={tried === notification.id}
                      onOpen={(opened) => open(opened ? notification.id : undefined)}
                      onMark={(as) => mark.mutate({ id: notification.id, as })}
                    />
                  ))}
                  <Pager page={page} cursor={filter.cursor} onTurn={(cursor) => narrow({ cursor })} />
                </>
              )
            }
          </Asked>
        </Panel>
      </Stack>
    </>
  );
}

/** Whether the first one shown is the newest that there is. */
function isNewest({ shelf, ...rest }: InboxFilter): boolean {
  return shelf !== "archived" && Object.values(rest).every((value) => value === undefined);
}

function Nothing({ filter: { shelf, matters, level, category } }: { filter: InboxFilter }) {
  if (matters === "waiting")
    return (
      <Empty icon={IconInbox} title="Nothing waits for you">
        What somebody has to decide appears here by itself, and goes when one of you has.
      </Empty>
    );
  if (matters === "handled" || level !== undefined || category !== undefined)
    return (
      <Empty icon={IconInbox} title="Nothing of the kind">
        Nothing here matches. Take a filter away to see the others.
      </Empty>
    );
  if (shelf === "unread")
    return (
      <Empty icon={IconInbox} title="All read">
        What is new appears here by itself.
      </Empty>
    );
  return (
    <Empty icon={IconInbox} title={shelf === "archived" ? "Nothing is archived" : "Nothing yet"}>
      {shelf === "archived"
        ? "What you archive is out of the way, and can be brought back from here."
        : "When a rule tells you something over the channel websocket, it is here the moment it happens."}
    </Empty>
  );
}

function NobodysInbox() {
  const may = useMay("admin");
  return (
    <>
      <PageHead title="Inbox" />
      <Panel>
        <Empty
          icon={IconUserQuestion}
          title="Your login is nobody's yet"
          action={
            may && (
              <Button component={Link} to="/settings/users">
                Say who you are
              </Button>
            )
          }
        >
          An inbox belongs to a person. {may ? "Link" : "An admin links"} your login to one under Keys and
          users.
        </Empty>
      </Panel>
    </>
  );
}
