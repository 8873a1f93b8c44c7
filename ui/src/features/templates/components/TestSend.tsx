import { Alert, Button, Group, Modal, Select, Stack } from "@mantine/core";
import { useState } from "react";
import { useProviders } from "@/features/templates/operations/list-providers";
import type { TemplateKey } from "@/features/templates/schemas";
import { channelWords } from "@/kit/channels";
import { PersonSelect } from "@/kit/choose/PersonSelect";
import { useSendTest, type TestSend as Wanted } from "@/kit/delivery/send-test";
import { TestAnswer } from "@/kit/delivery/TestAnswer";
import { said } from "@/kit/problem";
import { Asked } from "@/kit/states/Asked";
import { Loading } from "@/kit/states/Loading";

interface Props {
  opened: boolean;
  onClose: () => void;
  id: TemplateKey;
  data: Record<string, unknown>;
  unsaved: boolean;
}

/** Sends the template that is saved, to one person, through a provider that one chooses. */
export function TestSend({ opened, onClose, id, data, unsaved }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Test ${id.name} by ${channelWords[id.channel]}`}>
      {opened && <Form id={id} data={data} unsaved={unsaved} />}
    </Modal>
  );
}

function Form({ id, data, unsaved }: Omit<Props, "opened" | "onClose">) {
  const providers = useProviders(id.channel);
  const send = useSendTest();
  const [provider, setProvider] = useState<string | null>(null);
  const [person, setPerson] = useState<string | null>(null);
  const chosen = provider ?? providers.data?.[0]?.id;
  const wanted: Wanted | undefined =
    chosen === undefined || person === null
      ? undefined
      : { providerId: chosen, personId: person, template: id.name, data };
  return (
    <Asked query={providers} loading={<Loading rows={2} />}>
      {(found) => (
        <Stack>
          {unsaved && (
            <Alert color="orange">
              What you have not saved is not in it: a test uses the saved template.
            </Alert>
          )}
          {found.length === 0 && (
            <Alert color="orange">
              This channel has no provider that is on. Set one up under Channels; the sandbox is one too.
            </Alert>
          )}
          <Select
            label="Through"
            data={found.map(({ id: value, name, type }) => ({ value, label: `${name} (${type})` }))}
            value={chosen ?? null}
            onChange={setProvider}
            allowDeselect={false}
            placeholder="No provider for this channel"
          />
          <PersonSelect
            label="To"
            description="At their first address, in their language"
            value={person}
            onChange={setPerson}
          />
          {send.error !== null && (
            <Alert color="red" role="alert">
              {said(send.error)}
            </Alert>
          )}
          {send.data !== undefined && <TestAnswer deliveryId={send.data} />}
          <Group justify="flex-end">
            <Button
              loading={send.isPending}
              disabled={wanted === undefined}
              onClick={() => wanted !== undefined && send.mutate(wanted)}
            >
              Send the test
            </Button>
          </Group>
        </Stack>
      )}
    </Asked>
  );
}
