import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useDeletePerson } from "@/features/people/operations/delete-person";
import type { Person } from "@/features/people/schemas";
import { Confirm } from "@/kit/Confirm";

export function DeletePerson({ person }: { person: Person }) {
  const navigate = useNavigate();
  const remove = useDeletePerson(person.id);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" c="red" px="sm" onClick={open}>
        Delete…
      </Button>
      <Confirm
        opened={opened}
        title={`Delete ${person.name}?`}
        deed="Delete this person"
        busy={remove.isPending}
        onClose={close}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => void navigate({ to: "/settings/people", search: {}, ignoreBlocker: true }),
            onSettled: close,
          })
        }
      >
        Their addresses, groups, topics and preferences go with them, for good. What was sent to them stays on
        record under “somebody who was deleted”; what still waits for them is not sent. A file or a call that
        names them later creates them anew, without what they had said they do not want.
      </Confirm>
    </>
  );
}
