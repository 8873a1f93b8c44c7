import { Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import type { Day } from "@/features/forecast/calendar";
import { dayName, kindWord } from "@/features/forecast/words";
import { Panel } from "@/kit/Panel";

interface Props {
  days: readonly Day[];
  onOpen: (date: string) => void;
}

/** The calendar for a narrow screen: the days on which something goes out. */
export function DayList({ days, onOpen }: Props) {
  return (
    <Stack gap="xs">
      {days.map((day) => (
        <Panel key={day.date}>
          <UnstyledButton w="100%" p="sm" onClick={() => onOpen(day.date)}>
            <Group justify="space-between" wrap="nowrap">
              <Stack gap={2} miw={0}>
                <Text size="sm" fw={600}>
                  {dayName(day.date)}
                  {day.today && " · today"}
                </Text>
                <Text size="xs" c="dimmed">
                  {day.kinds
                    .map(({ name, count }) => `${count.toLocaleString()} ${kindWord(name)}`)
                    .join(" · ")}
                </Text>
              </Stack>
              <IconChevronRight size={18} aria-hidden />
            </Group>
          </UnstyledButton>
        </Panel>
      ))}
    </Stack>
  );
}
