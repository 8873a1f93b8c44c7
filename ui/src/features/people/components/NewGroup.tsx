import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { GroupForm } from "@/features/people/components/GroupForm";
import { useMay } from "@/session/session";

/** A new group; once it is there it is opened, for its people. */
export function NewGroup({ onMade }: { onMade: (id: string) => void }) {
  const may = useMay("admin");
  const [opened, { open, close }] = useDisclosure();
  if (!may) return null;
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        New group
      </Button>
      <Modal opened={opened} onClose={close} title="New group">
        <GroupForm
          onSaved={({ id }) => {
            close();
            onMade(id);
          }}
        />
      </Modal>
    </>
  );
}
