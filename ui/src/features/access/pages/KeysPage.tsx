import { Button } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { AccessHead } from "@/features/access/components/AccessHead";
import { KeyList } from "@/features/access/components/KeyList";
import { NewKey } from "@/features/access/components/NewKey";
import { useApiKeys } from "@/features/access/operations/list-api-keys";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { NoPermission } from "@/kit/states/NoPermission";
import { useMay } from "@/session/session";

const route = getRouteApi("/shell/settings/keys");

/** What may come in without a browser: API keys, what they may do and until when. */
export function KeysPage() {
  if (useMay("admin")) return <Keys />;
  return (
    <>
      <AccessHead tab="/settings/keys" />
      <Panel>
        <NoPermission why="The keys of a tenant are for its admins to see." />
      </Panel>
    </>
  );
}

function Keys() {
  const { cursor, new: making } = route.useSearch();
  const navigate = useNavigate({ from: "/settings/keys" });
  const keys = useApiKeys(cursor);
  const make = (open: boolean) =>
    void navigate({ search: (now) => ({ ...now, new: open ? true : undefined }) });
  const button = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => make(true)}>
      New key
    </Button>
  );
  return (
    <>
      <AccessHead tab="/settings/keys">{button}</AccessHead>
      <Panel>
        <Asked query={keys}>
          {(page) =>
            page.data.length === 0 ? (
              <Empty icon={IconKey} title="No keys yet" action={button}>
                With a key your own programs emit facts and read what became of them. Make one for each, so
                that one can be revoked without the others.
              </Empty>
            ) : (
              <>
                <KeyList keys={page.data} />
                <Pager
                  page={page}
                  cursor={cursor}
                  onTurn={(next) => void navigate({ search: (now) => ({ ...now, cursor: next }) })}
                />
              </>
            )
          }
        </Asked>
      </Panel>
      <NewKey opened={making === true} onClose={() => make(false)} />
    </>
  );
}
