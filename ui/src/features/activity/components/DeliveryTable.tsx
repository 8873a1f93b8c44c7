import {
  Divider,
  Group,
  ScrollArea,
  Stack,
  Table,
  Text,
  UnstyledButton,
  VisuallyHidden,
  useMantineTheme,
} from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { DeliveryStatusBadge } from "@/kit/delivery/badges";
import type { Delivery } from "@/features/activity/schemas";
import { When } from "@/kit/When";

interface Props {
  deliveries: readonly Delivery[];
  onOpen: (id: string) => void;
}

/** Rows, and on a narrow screen cards. */
export function DeliveryTable({ deliveries, onOpen }: Props) {
  const narrow = useMediaQuery(`(max-width: ${useMantineTheme().breakpoints.sm})`, false);
  if (narrow) return <DeliveryCards deliveries={deliveries} onOpen={onOpen} />;
  return (
    <ScrollArea type="auto">
      <Table highlightOnHover verticalSpacing="xs" miw={760}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>To</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th>Channel</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>When</Table.Th>
            <Table.Th>Last error</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} onOpen={onOpen} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

function Row({ delivery, onOpen }: { delivery: Delivery; onOpen: (id: string) => void }) {
  const who = called(delivery);
  return (
    <Table.Tr>
      <Table.Td maw={240}>
        <UnstyledButton maw="100%" onClick={() => onOpen(delivery.id)}>
          <Text size="sm" fw={560} truncate>
            <VisuallyHidden>Open {delivery.channel} to </VisuallyHidden>
            {who}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {delivery.address}
          </Text>
        </UnstyledButton>
      </Table.Td>
      <Table.Td maw={240}>
        <Text size="sm" truncate>
          {delivery.title ?? "–"}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{delivery.channel}</Text>
        <Text size="xs" c="dimmed" truncate maw={120}>
          {delivery.providerName}
        </Text>
      </Table.Td>
      <Table.Td>
        <DeliveryStatusBadge status={delivery.status} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <When at={delivery.finishedAt ?? delivery.runAt} />
      </Table.Td>
      <Table.Td maw={260}>
        <Text size="sm" truncate>
          {delivery.lastError ?? "–"}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function called(delivery: Delivery): string {
  return delivery.personName ?? "Somebody who was deleted";
}

function DeliveryCards({ deliveries, onOpen }: Props) {
  return (
    <Stack gap={0}>
      {deliveries.map((delivery) => (
        <div key={delivery.id}>
          <UnstyledButton w="100%" p="sm" onClick={() => onOpen(delivery.id)}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" fw={560} truncate>
                <VisuallyHidden>Open {delivery.channel} to </VisuallyHidden>
                {called(delivery)}
              </Text>
              <DeliveryStatusBadge status={delivery.status} />
            </Group>
            <Text size="sm" truncate>
              {delivery.title}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {delivery.channel} · <When at={delivery.finishedAt ?? delivery.runAt} />
              {delivery.lastError !== null && ` · ${delivery.lastError}`}
            </Text>
          </UnstyledButton>
          <Divider />
        </div>
      ))}
    </Stack>
  );
}
