import { Group, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconUsersGroup } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { GroupDrawer } from "@/features/people/components/GroupDrawer";
import { GroupList } from "@/features/people/components/GroupList";
import { NewGroup } from "@/features/people/components/NewGroup";
import { PeopleHead } from "@/features/people/components/PeopleHead";
import { useGroups } from "@/features/people/operations/list-groups";
import type { GroupsFilter } from "@/features/people/searches";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";

const route = getRouteApi("/shell/settings/groups");

/** People who are told together: a restaurant, an agency, a team. */
export function GroupsPage() {
  const { group, members, ...filter } = route.useSearch();
  const navigate = useNavigate({ from: "/settings/groups" });
  const groups = useGroups(filter);
  const narrow = (change: Partial<GroupsFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });
  const open = (id: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, group: id, members: undefined }) });
  const narrowed = filter.q !== undefined || filter.type !== undefined;
  return (
    <>
      <PeopleHead tab="/settings/groups">
        <NewGroup onMade={open} />
      </PeopleHead>
      <Stack>
        {(narrowed || (groups.data?.data.length ?? 0) > 0) && <Filters filter={filter} onChange={narrow} />}
        <Panel>
          <Asked query={groups}>
            {(page) =>
              page.data.length === 0 ? (
                <Nothing narrowed={narrowed} onMade={open} />
              ) : (
                <>
                  <GroupList groups={page.data} />
                  <Pager page={page} cursor={filter.cursor} onTurn={(cursor) => narrow({ cursor })} />
                </>
              )
            }
          </Asked>
        </Panel>
      </Stack>
      <GroupDrawer
        id={group}
        cursor={members}
        onTurn={(cursor) => void navigate({ search: (now) => ({ ...now, members: cursor }) })}
        onClose={() => open(undefined)}
      />
    </>
  );
}

function Nothing({ narrowed, onMade }: { narrowed: boolean; onMade: (id: string) => void }) {
  if (narrowed)
    return (
      <Empty icon={IconUsersGroup} title="No such group">
        Groups are found by how their names begin.
      </Empty>
    );
  return (
    <Empty icon={IconUsersGroup} title="No groups yet" action={<NewGroup onMade={onMade} />}>
      A group is a restaurant, an agency, a team: whoever is in it, a rule can tell them all.
    </Empty>
  );
}

interface FiltersProps {
  filter: GroupsFilter;
  onChange: (change: Partial<GroupsFilter>) => void;
}

function Filters({ filter, onChange }: FiltersProps) {
  const later = useDebouncedCallback(onChange, 300);
  const typed = (name: "q" | "type") => ({
    defaultValue: filter[name] ?? "",
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      later({ [name]: currentTarget.value.trim() || undefined }),
  });
  return (
    <Group gap="sm" align="flex-end">
      <TextInput label="Name" placeholder="How it begins" w={{ base: "100%", xs: 220 }} {...typed("q")} />
      <TextInput label="Type" placeholder="All" w={{ base: "100%", xs: 160 }} {...typed("type")} />
    </Group>
  );
}
