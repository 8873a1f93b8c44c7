import { Anchor, Button, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { escalationInWords } from "@/features/reservations/logic/words";
import type { Restaurant } from "@/features/reservations/schemas";
import { localeInWords } from "@/kit/locales";
import { Row, Rows } from "@/kit/Rows";
import { useMay } from "@/session/session";

interface Props {
  restaurants: readonly Restaurant[];
  onOpen: (id: number) => void;
}

export function RestaurantList({ restaurants, onOpen }: Props) {
  const admin = useMay("admin");
  return (
    <Rows label="Restaurants" columns="minmax(0, 1.3fr) minmax(0, 1.1fr) minmax(0, 1.2fr)">
      {restaurants.map(({ id, name, groupId, timezone, locale, ...rest }) => (
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
          <Stack gap={2}>
            <Anchor
              component={Link}
              to={`/reservations?restaurant=${id}`}
              fw={600}
              size="sm"
              c="var(--mantine-color-text)"
            >
              {name}
            </Anchor>
            {admin && <Members groupId={groupId} of={name} />}
          </Stack>
          <Stack gap={0}>
            <Text size="sm">{timezone}</Text>
            <Text size="xs" c="dimmed">
              {locale === null ? "each in their language" : localeInWords(locale)}
            </Text>
          </Stack>
          <Text size="sm" c="dimmed">
            {escalationInWords(rest)}
          </Text>
        </Row>
      ))}
    </Rows>
  );
}

/** Who is told: the members of the group. */
export function Members({ groupId, of }: { groupId: string; of: string }) {
  return (
    <Anchor
      component={Link}
      to={`/settings/groups?group=${groupId}`}
      size="xs"
      aria-label={`Its people: ${of}`}
    >
      Its people
    </Anchor>
  );
}
