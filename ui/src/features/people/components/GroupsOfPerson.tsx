import { ActionIcon, Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { GroupSelect } from "@/features/people/components/GroupSelect";
import { useAddMembers } from "@/features/people/operations/add-members";
import { useGroupsOfPerson } from "@/features/people/operations/list-groups-of-person";
import { useRemoveMember } from "@/features/people/operations/remove-member";
import type { Person } from "@/features/people/schemas";
import { Asked } from "@/kit/states/Asked";
import { Loading } from "@/kit/states/Loading";

/** What somebody belongs to; into another group, and out of one. */
export function GroupsOfPerson({ person }: { person: Person }) {
  const groups = useGroupsOfPerson(person.id);
  const remove = useRemoveMember();
  return (
    <Stack gap="sm">
      <Asked query={groups} loading={<Loading rows={2} height={24} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              In no group.
            </Text>
          ) : (
            <Stack gap={4} component="ul" m={0} p={0} aria-label="Groups">
              {data.map((group) => (
                <Group key={group.id} component="li" justify="space-between" wrap="nowrap">
                  <Anchor component={Link} to={`/settings/groups?group=${group.id}`} size="sm" truncate>
                    {group.name}
                  </Anchor>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Take out of ${group.name}`}
                    onClick={() => remove.mutate({ groupId: group.id, personId: person.id })}
                  >
                    <IconX size={16} />
                  </ActionIcon>
                </Group>
              ))}
            </Stack>
          )
        }
      </Asked>
      <AddTo person={person} />
    </Stack>
  );
}

function AddTo({ person }: { person: Person }) {
  const add = useAddMembers();
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Group gap="xs" align="flex-end">
      <GroupSelect
        label="Add to a group"
        placeholder="By its name"
        value={chosen}
        onChange={setChosen}
        flex={1}
      />
      <Button
        variant="default"
        disabled={chosen === null}
        loading={add.isPending}
        onClick={() => {
          if (chosen === null) return;
          add.mutate({ groupId: chosen, people: [person.id] }, { onSuccess: () => setChosen(null) });
        }}
      >
        Add
      </Button>
    </Group>
  );
}
