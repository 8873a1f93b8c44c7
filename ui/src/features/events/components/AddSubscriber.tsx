import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useAddSubscriber } from "@/features/events/operations/add-subscriber";
import { PersonSelect } from "@/kit/choose/PersonSelect";
import { said } from "@/kit/problem";
import { useMay } from "@/session/session";

/** An admin may have somebody join. */
export function AddSubscriber({ eventId }: { eventId: number }) {
  const may = useMay("admin");
  const [opened, { open, close }] = useDisclosure();
  if (!may) return null;
  return (
    <>
      <Button size="xs" variant="default" leftSection={<IconUserPlus size={16} />} onClick={open}>
        Add
      </Button>
      <Modal opened={opened} onClose={close} title="Have somebody join" centered>
        <Adding eventId={eventId} onClose={close} />
      </Modal>
    </>
  );
}

function Adding({ eventId, onClose }: { eventId: number; onClose: () => void }) {
  const add = useAddSubscriber(eventId);
  const [person, setPerson] = useState<string | null>(null);
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        They are welcomed, and reminded a day and an hour before. They can choose otherwise, and leave.
      </Text>
      <PersonSelect label="Who" data-autofocus value={person} onChange={setPerson} />
      {add.error !== null && (
        <Alert color="red" role="alert">
          {said(add.error)}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={person === null}
          loading={add.isPending}
          onClick={() => person !== null && add.mutate(person, { onSuccess: onClose })}
        >
          Add them
        </Button>
      </Group>
    </Stack>
  );
}
