import { ActionIcon, Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { AddAddress } from "@/features/people/components/AddAddress";
import { kindWords } from "@/features/people/logic/kinds";
import { useEnableAddress } from "@/features/people/operations/enable-address";
import { useRemoveAddress } from "@/features/people/operations/remove-address";
import type { Address, Person } from "@/features/people/schemas";
import { Confirm } from "@/kit/Confirm";
import { Copied } from "@/kit/Copied";
import { warningWords } from "@/kit/theme";
import { When } from "@/kit/When";

/** Where somebody can be reached, what is wrong with it, and what helps. */
export function Addresses({ person }: { person: Person }) {
  const [removing, setRemoving] = useState<Address>();
  const [added, setAdded] = useState<Address>();
  const remove = useRemoveAddress(person.id);
  return (
    <Stack gap="sm">
      {person.addresses.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet. Without one, only their inbox here reaches them.
        </Text>
      )}
      <Stack gap="xs" component="ul" m={0} p={0} aria-label="Addresses">
        {person.addresses.map((address) => (
          <Row
            key={address.id}
            personId={person.id}
            address={address}
            onRemove={() => setRemoving(address)}
          />
        ))}
      </Stack>
      {added?.secret != null && <Secret secret={added.secret} onDone={() => setAdded(undefined)} />}
      <AddAddress personId={person.id} onAdded={setAdded} />
      <Confirm
        opened={removing !== undefined}
        title="Remove this address?"
        deed="Remove it"
        onClose={() => setRemoving(undefined)}
        onConfirm={() => {
          if (removing !== undefined) remove.mutate(removing.id);
          setRemoving(undefined);
        }}
      >
        Nothing is sent to <Code>{removing?.value}</Code> for {person.name} any more; what waits for it is not
        sent either.
      </Confirm>
    </Stack>
  );
}

interface RowProps {
  personId: string;
  address: Address;
  onRemove: () => void;
}

function Row({ personId, address, onRemove }: RowProps) {
  const { icon: Sign, label } = kindWords[address.kind];
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start" style={{ listStyle: "none" }}>
      <Sign size={18} stroke={1.6} aria-hidden style={{ flex: "none", marginTop: 3 }} />
      <Stack gap={0} flex={1} miw={0}>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {address.value}
        </Text>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        <State personId={personId} address={address} />
      </Stack>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Remove ${label} ${address.value}`}
        onClick={onRemove}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}

/** Why it is not used, or may soon not be. */
function State({ personId, address }: { personId: string; address: Address }) {
  const enable = useEnableAddress(personId);
  if (address.disabledAt !== null)
    return (
      <Group gap="xs" mt={4}>
        <Text size="sm" c={warningWords}>
          Not used since <When at={address.disabledAt} />: {address.disabledReason ?? "no reason was given"}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          loading={enable.isPending}
          onClick={() => enable.mutate(address.id)}
        >
          Use it again
        </Button>
      </Group>
    );
  if (address.failingSince === null) return null;
  return (
    <Text size="sm" c={warningWords}>
      Failing since <When at={address.failingSince} />
    </Text>
  );
}

function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Alert
      title="The webhook's secret, shown this once"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onDone}
    >
      <Stack gap={4} align="flex-start">
        <Text size="sm">Whoever receives it checks our signature with it. Nothing will show it again.</Text>
        <Copied text={secret} />
      </Stack>
    </Alert>
  );
}
