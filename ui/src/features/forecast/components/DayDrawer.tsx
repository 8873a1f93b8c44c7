import { Anchor, Button, Drawer, Group, Stack, Table, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useDay } from "@/features/forecast/operations/get-forecast";
import type { Coming } from "@/features/forecast/schemas";
import { dayName, headline, sideline, whereTo } from "@/features/forecast/words";
import { Asked } from "@/kit/states/Asked";
import { clock, elsewhere, viewersZone } from "@/kit/time";

interface Props {
  day: string | undefined;
  onClose: () => void;
}

/** What goes out on one day, one by one, by the viewer's clock and by that of whom it is for. */
export function DayDrawer({ day, onClose }: Props) {
  return (
    <Drawer opened={day !== undefined} onClose={onClose} position="right" size="lg" title="What goes out">
      {day !== undefined && <Content day={day} />}
    </Drawer>
  );
}

function Content({ day }: { day: string }) {
  const found = useDay(day);
  return (
    <Stack>
      <div>
        <Title order={2} size="h4">
          {dayName(day)}
        </Title>
        <Text size="sm" c="dimmed">
          Times are yours, {viewersZone()}.
        </Text>
      </div>
      <Asked query={found}>
        {({ pages }) => (
          <>
            <Entries of={pages.flatMap((page) => page.data.coming)} />
            {found.hasNextPage && (
              <Button
                variant="default"
                loading={found.isFetchingNextPage}
                onClick={() => void found.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </>
        )}
      </Asked>
    </Stack>
  );
}

function Entries({ of }: { of: readonly Coming[] }) {
  if (of.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing goes out on this day any more.
      </Text>
    );
  }
  return (
    <Table verticalSpacing="xs">
      <Table.Tbody>
        {of.map((each) => (
          <Entry key={each.id} it={each} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Entry({ it }: { it: Coming }) {
  const theirs = it.timezone === null ? null : elsewhere(it.at, it.timezone);
  return (
    <Table.Tr>
      <Table.Td w={120} style={{ verticalAlign: "top" }}>
        <Text size="sm" fw={560} className="numbers">
          {clock(it.at)}
        </Text>
        {theirs !== null && (
          <Text size="xs" c="dimmed">
            {theirs}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Anchor component={Link} to={whereTo(it)} size="sm" fw={560}>
          {headline(it)}
        </Anchor>
        <Group gap={6}>
          <Text size="xs" c="dimmed">
            {sideline(it)}
          </Text>
          {it.factId !== null && (
            <Anchor component={Link} to={`/activity/${it.factId}`} size="xs">
              Trace
            </Anchor>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
