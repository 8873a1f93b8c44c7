import { Button, Code, Text } from "@mantine/core";
import { Members } from "@/features/reservations/components/RestaurantList";
import type { Agency } from "@/features/reservations/schemas";
import { Row, Rows } from "@/kit/Rows";
import { useMay } from "@/session/session";

interface Props {
  agencies: readonly Agency[];
  onOpen: (id: number) => void;
}

export function AgencyList({ agencies, onOpen }: Props) {
  const admin = useMay("admin");
  return (
    <Rows label="Agencies" columns="minmax(0, 1.4fr) minmax(0, 1fr) minmax(0, 1fr)">
      {agencies.map(({ id, name, groupId, externalId }) => (
        <Row
          key={id}
          deeds={
            admin && (
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`Edit ${name}`}
                onClick={() => onOpen(id)}
              >
                Edit
              </Button>
            )
          }
        >
          <Text fw={600} size="sm">
            {name}
          </Text>
          <Code w="fit-content">{externalId}</Code>
          <span>{admin && <Members groupId={groupId} of={name} />}</span>
        </Row>
      ))}
    </Rows>
  );
}
