import { Alert, Button, Group, Modal, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useActOnDelivery } from "@/features/activity/operations/act-on-delivery";

interface Props {
  id: string;
  opened: boolean;
  onClose: () => void;
}

/** Of one that may have arrived, somebody says what became of it. This cannot be taken back. */
export function Settle({ id, opened, onClose }: Props) {
  const act = useActOnDelivery(id);
  const [as, setAs] = useState<"sent" | "failed">("sent");
  const [reason, setReason] = useState("");
  const settle = () => act.mutate({ do: "settle", as, reason: reason.trim() }, { onSettled: onClose });
  return (
    <Modal opened={opened} onClose={onClose} title="Settle this delivery" centered>
      <Stack>
        <Alert color="orange" p="sm">
          The provider did not answer, so it may have arrived. Look it up there, then say what became of it.
          This is kept with your name, and is not asked again.
        </Alert>
        <Radio.Group label="What became of it" value={as} onChange={setAs}>
          <Stack gap="xs" mt="xs">
            <Radio value="sent" label="It arrived" />
            <Radio value="failed" label="It did not arrive" description="It can be sent again afterwards." />
          </Stack>
        </Radio.Group>
        <TextInput
          label="How you know"
          placeholder="Seen in the provider's log"
          required
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={act.isPending} disabled={reason.trim() === ""} onClick={settle}>
            Settle as {as}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
