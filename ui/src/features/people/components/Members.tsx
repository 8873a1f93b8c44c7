import { ActionIcon, Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { IconUsersPlus, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAddMembers } from "@/features/people/operations/add-members";
import { useMembers } from "@/features/people/operations/list-members";
import { useRemoveMember } from "@/features/people/operations/remove-member";
import type { Person } from "@/features/people/schemas";
import { PeopleSelect } from "@/kit/choose/PeopleSelect";
import { Pager } from "@/kit/Pager";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";

interface Props {
  groupId: string;
  cursor: string | undefined;
  onTurn: (cursor: string | undefined) => void;
}

export function Members({ groupId, cursor, onTurn }: Props) {
  const members = useMembers(groupId, cursor);
  const remove = useRemoveMember();
  return (
    <Stack gap="sm">
      <AddMembers groupId={groupId} />
      <Asked query={members}>
        {(page) =>
          page.data.length === 0 ? (
            <Empty icon={IconUsersPlus} title="Nobody is in it yet">
              Add people above. A file of people can name its groups too.
            </Empty>
          ) : (
            <>
              <Stack gap={4} component="ul" m={0} p={0} aria-label="Members">
                {page.data.map((person) => (
                  <Member
                    key={person.id}
                    person={person}
                    onRemove={() => remove.mutate({ groupId, personId: person.id })}
                  />
                ))}
              </Stack>
              <Pager page={page} cursor={cursor} onTurn={onTurn} />
            </>
          )
        }
      </Asked>
    </Stack>
  );
}

function Member({ person, onRemove }: { person: Person; onRemove: () => void }) {
  const email = person.addresses.find(({ kind }) => kind === "email")?.value;
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="sm">
      <Stack gap={0} miw={0}>
        <Anchor component={Link} to={`/settings/people?person=${person.id}`} size="sm" truncate>
          {person.name}
        </Anchor>
        <Text size="xs" c="dimmed" truncate>
          {email ?? person.externalId ?? "no e-mail address"}
        </Text>
      </Stack>
      <ActionIcon variant="subtle" color="gray" aria-label={`Take out ${person.name}`} onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </Group>
  );
}

function AddMembers({ groupId }: { groupId: string }) {
  const add = useAddMembers();
  const [chosen, setChosen] = useState<string[]>([]);
  return (
    <Group gap="xs" align="flex-end">
      <PeopleSelect
        label="Add people"
        {...(chosen.length === 0 ? { placeholder: "By how their names begin" } : {})}
        value={chosen}
        onChange={setChosen}
        flex={1}
      />
      <Button
        variant="default"
        disabled={chosen.length === 0}
        loading={add.isPending}
        onClick={() => add.mutate({ groupId, people: chosen }, { onSuccess: () => setChosen([]) })}
      >
        Add
      </Button>
    </Group>
  );
}
