import { Button } from "@mantine/core";
import { IconUserPlus, IconUsers } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { AccessHead } from "@/features/access/components/AccessHead";
import { InviteUser } from "@/features/access/components/InviteUser";
import { UserList } from "@/features/access/components/UserList";
import { useUsers } from "@/features/access/operations/list-users";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/settings/users");

/** Who may sign in to this tenant, as what, and who of its people they are. */
export function UsersPage() {
  const { cursor, new: inviting } = route.useSearch();
  const navigate = useNavigate({ from: "/settings/users" });
  const may = useMay("admin");
  const users = useUsers(cursor);
  const invite = (open: boolean) =>
    void navigate({ search: (now) => ({ ...now, new: open ? true : undefined }) });
  const button = (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => invite(true)}>
      Invite
    </Button>
  );
  return (
    <>
      <AccessHead tab="/settings/users">{may && button}</AccessHead>
      <Panel>
        <Asked query={users}>
          {(page) =>
            page.data.length === 0 ? (
              <Empty icon={IconUsers} title="Nobody has a place here yet" action={button}>
                You run the installation, and need none. Invite who is to work in this tenant: an admin first.
              </Empty>
            ) : (
              <>
                <UserList
                  users={page.data}
                  all={cursor === undefined && page.pagination.nextCursor === null}
                />
                <Pager
                  page={page}
                  cursor={cursor}
                  words={["First", "Next"]}
                  onTurn={(next) => void navigate({ search: (now) => ({ ...now, cursor: next }) })}
                />
              </>
            )
          }
        </Asked>
      </Panel>
      {may && <InviteUser opened={inviting === true} onClose={() => invite(false)} />}
    </>
  );
}
