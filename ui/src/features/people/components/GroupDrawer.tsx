import { Button, Drawer, Stack, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { GroupForm } from "@/features/people/components/GroupForm";
import { Members } from "@/features/people/components/Members";
import { useDeleteGroup } from "@/features/people/operations/delete-group";
import { useGroup } from "@/features/people/operations/get-group";
import type { Group } from "@/features/people/schemas";
import { Confirm } from "@/kit/Confirm";
import { Asked } from "@/kit/states/Asked";

interface Props {
  id: string | undefined;
  /** The page of its members that is shown. */
  cursor: string | undefined;
  onTurn: (cursor: string | undefined) => void;
  onClose: () => void;
}

/** One group: what it is called, who is in it, and its end. */
export function GroupDrawer({ id, cursor, onTurn, onClose }: Props) {
  const group = useGroup(id ?? null);
  return (
    <Drawer opened={id !== undefined} onClose={onClose} position="right" size="lg" title="Group">
      {id !== undefined && (
        <Asked query={group}>
          {(found) => (
            <Stack key={id}>
              <GroupForm group={found} />
              <Title order={2} size="h4">
                Members
              </Title>
              <Members groupId={id} cursor={cursor} onTurn={onTurn} />
              <DeleteGroup group={found} onGone={onClose} />
            </Stack>
          )}
        </Asked>
      )}
    </Drawer>
  );
}

function DeleteGroup({ group, onGone }: { group: Group; onGone: () => void }) {
  const remove = useDeleteGroup(group.id);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" c="red" onClick={open} style={{ alignSelf: "flex-start" }} mt="md">
        Delete the group…
      </Button>
      <Confirm
        opened={opened}
        title={`Delete ${group.name}?`}
        deed="Delete the group"
        busy={remove.isPending}
        onClose={close}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: onGone,
            onSettled: close,
          })
        }
      >
        Its people stay, and belong to it no more. Rules that tell {group.externalId} tell nobody by it, until
        there is a group with this external id again.
      </Confirm>
    </>
  );
}
