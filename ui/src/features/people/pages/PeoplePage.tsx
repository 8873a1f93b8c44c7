import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconFileImport, IconUsers } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { GroupSelect } from "@/features/people/components/GroupSelect";
import { NewPerson } from "@/features/people/components/NewPerson";
import { PeopleHead } from "@/features/people/components/PeopleHead";
import { PersonList } from "@/features/people/components/PersonList";
import { PersonView } from "@/features/people/components/PersonView";
import { usePeople } from "@/features/people/operations/list-people";
import type { PeopleFilter } from "@/features/people/searches";
import { Pager } from "@/kit/Pager";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";

const route = getRouteApi("/shell/settings/people");

/** Everybody who can be told; or one of them, where the address names one. */
export function PeoplePage() {
  const { person, ...filter } = route.useSearch();
  return person === undefined ? <Everybody filter={filter} /> : <PersonView id={person} />;
}

function Everybody({ filter }: { filter: PeopleFilter }) {
  const navigate = useNavigate({ from: "/settings/people" });
  const people = usePeople(filter);
  const narrow = (change: Partial<PeopleFilter>) =>
    void navigate({ search: (now) => ({ ...now, cursor: undefined, ...change }) });
  const { cursor, ...wanted } = filter;
  const narrowed = Object.values(wanted).some((value) => value !== undefined);
  return (
    <>
      <PeopleHead tab="/settings/people">
        <NewPerson />
      </PeopleHead>
      <Stack>
        {(narrowed || (people.data?.data.length ?? 0) > 0) && <Filters filter={filter} onChange={narrow} />}
        <Panel>
          <Asked query={people}>
            {(page) =>
              page.data.length === 0 ? (
                <Nobody narrowed={narrowed} />
              ) : (
                <>
                  <PersonList people={page.data} />
                  <Pager page={page} cursor={cursor} onTurn={(to) => narrow({ cursor: to })} />
                </>
              )
            }
          </Asked>
        </Panel>
      </Stack>
    </>
  );
}

function Nobody({ narrowed }: { narrowed: boolean }) {
  if (narrowed)
    return (
      <Empty icon={IconUsers} title="Nobody like this">
        Names are found by how they begin, e-mail addresses and external ids by the whole of them.
      </Empty>
    );
  return (
    <Empty
      icon={IconUsers}
      title="Nobody yet"
      action={
        <Group justify="center">
          <NewPerson />
          <Button
            component={Link}
            to="/settings/imports"
            variant="default"
            leftSection={<IconFileImport size={16} />}
          >
            Import a file
          </Button>
        </Group>
      }
    >
      People are whom rules tell. Add one by hand, import many from a file, or let your own system keep them
      up to date over the API.
    </Empty>
  );
}

interface FiltersProps {
  filter: PeopleFilter;
  onChange: (change: Partial<PeopleFilter>) => void;
}

function Filters({ filter, onChange }: FiltersProps) {
  const later = useDebouncedCallback(onChange, 300);
  const typed = (name: "q" | "externalId" | "userType") => ({
    defaultValue: filter[name] ?? "",
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      later({ [name]: currentTarget.value.trim() || undefined }),
  });
  const half = "calc(50% - 6px)";
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label="Name or e-mail"
        placeholder="How it begins, or a whole address"
        w={{ base: "100%", xs: 260 }}
        {...typed("q")}
      />
      <TextInput label="External id" placeholder="All" w={{ base: half, xs: 140 }} {...typed("externalId")} />
      <TextInput label="Type" placeholder="All" w={{ base: half, xs: 120 }} {...typed("userType")} />
      <GroupSelect
        label="Group"
        placeholder="All"
        value={filter.group ?? null}
        onChange={(group) => onChange({ group: group ?? undefined })}
        w={{ base: "100%", xs: 180 }}
      />
    </Group>
  );
}
