import { ActionIcon, Menu, Modal, Text } from "@mantine/core";
import { IconDots, IconLink, IconTrash, IconUserCheck } from "@tabler/icons-react";
import { useState } from "react";
import { LinkedPerson } from "@/features/access/components/LinkedPerson";
import { SignInLink } from "@/features/access/components/SignInLink";
import { useRemoveUser } from "@/features/access/operations/remove-user";
import type { User } from "@/features/access/schemas";
import { Confirm } from "@/kit/Confirm";

interface Props {
  user: User;
  /** Why they cannot be managed. */
  fixed: string | null;
  /** Why they cannot be removed. */
  kept: string | null;
}

/** What can be done with a user; what cannot says why. */
export function UserDeeds({ user, fixed, kept }: Props) {
  const [open, setOpen] = useState<"link" | "person" | "remove">();
  const remove = useRemoveUser();
  const close = () => setOpen(undefined);
  const unlinked = user.disabled ? "They are disabled." : fixed;
  return (
    <>
      <Menu position="bottom-end" width={250}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`More about ${user.name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconUserCheck size={16} />} onClick={() => setOpen("person")}>
            Who they are…
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLink size={16} />}
            disabled={unlinked !== null}
            onClick={() => setOpen("link")}
          >
            Sign-in link…
            <Why reason={unlinked} />
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} />}
            disabled={kept !== null}
            onClick={() => setOpen("remove")}
          >
            Remove…
            <Why reason={kept} />
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={open === "person"} onClose={close} title={`Who ${user.name} is`}>
        <LinkedPerson user={user} onDone={close} />
      </Modal>
      <Modal opened={open === "link"} onClose={close} title={`A sign-in link for ${user.name}`}>
        <SignInLink user={user} onDone={close} />
      </Modal>
      <Confirm
        opened={open === "remove"}
        title={`Remove ${user.name}?`}
        deed="Remove"
        busy={remove.isPending}
        onClose={close}
        onConfirm={() => remove.mutate(user.id, { onSettled: close })}
      >
        They are signed out of this tenant at once, and their API keys here are revoked for good: what uses
        such a key stops.{" "}
        {user.person !== null && `${user.person.name} stays among the people, and is told as before.`}
      </Confirm>
    </>
  );
}

function Why({ reason }: { reason: string | null }) {
  if (reason === null) return null;
  return (
    <Text size="xs" c="dimmed" component="div">
      {reason}
    </Text>
  );
}
