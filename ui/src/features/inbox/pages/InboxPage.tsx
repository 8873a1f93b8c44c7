import { Button, Group, SegmentedControl, Select, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { IconInbox, IconUserQuestion } from "@tabler/icons-react";
import { useCallback } from "react";
import { z } from "zod";
import { Item } from "@/features/inbox/components/Item";
import { inboxKeys } from "@/features/inbox/keys";
import { useInbox } from "@/features/inbox/operations/list-inbox";
import { useMark } from "@/features/inbox/operations/mark";
import { useReadAll } from "@/features/inbox/operations/read-all";
import { levels, type InboxFilter, type Shelf } from "@/features/inbox/schemas";
import { useLiveMessage, useUnread } from "@/kit/live/live";
import { PageHead } from "@/kit/PageHead";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { isStatus } from "@/kit/problem";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/inbox");
const anything = z.looseObject({});

/** What one was told, as it comes. */
export function InboxPage() {
  const filter = route.useSearch();
  const navigate = useNavigate({ from: "/inbox" });
  const inbox = useInbox(filter);
  const mark = useMark();
  const unread = useUnread();
  const readAll = useReadAll();
  useFreshInbox();
  const narrow = (change: Partial<InboxFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });

  if (isStatus(inbox.error, 404)) return <NobodysInbox />;
  return (
    <>
      <PageHead title={unread > 0 ? `Inbox (${unread})` : "Inbox"} about="What you were told, as it comes.">
        {unread > 0 && (
          <Button variant="default" loading={readAll.isPending} onClick={() => readAll.mutate()}>
            Mark all as read
          </Button>
        )}
      </PageHead>
      <Stack>
        <Group gap="sm" align="flex-end">
          <SegmentedControl<Shelf>
            value={filter.shelf ?? "all"}
            onChange={(shelf) => narrow({ shelf: shelf === "all" ? undefined : shelf })}
            data={[
              { value: "all", label: "All" },
              { value: "unread", label: "Unread" },
              { value: "archived", label: "Archived" },
            ]}
            aria-label="Which"
          />
          <Select
            aria-label="Level"
            placeholder="Any level"
            clearable
            data={levels}
            value={filter.level ?? null}
            onChange={(level) => narrow({ level: level ?? undefined })}
            w={150}
          />
        </Group>
        <Panel>
          <Asked query={inbox}>
            {(page) =>
              page.data.length === 0 ? (
                <Nothing shelf={filter.shelf ?? "all"} />
              ) : (
                <>
                  {page.data.map((notification) => (
                    <Item
                      key={notification.id}
                      notification={notification}
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

/** Whatever changes in the inbox, here or in another window, is asked for again at once. */
function useFreshInbox(): void {
  const queries = useQueryClient();
  const heard = useCallback(() => void queries.invalidateQueries({ queryKey: inboxKeys.all }), [queries]);
  useLiveMessage("notification", anything, heard);
  useLiveMessage("changed", anything, heard);
}

function Nothing({ shelf }: { shelf: Shelf }) {
  if (shelf === "unread") {
    return (
      <Empty icon={IconInbox} title="All read">
        What is new appears here by itself.
      </Empty>
    );
  }
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
