import { Group, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import type { CSSProperties } from "react";
import type { Day } from "@/features/forecast/calendar";
import classes from "@/features/forecast/components/Calendar.module.css";
import { dayName, dayNumber, kindWord } from "@/features/forecast/words";

interface Props {
  weeks: readonly (readonly Day[])[];
  onOpen: (date: string) => void;
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const KINDS = 3;
const DEEPEST = 16; // percent of the accent

/** Weeks as rows, the fuller the day the deeper its ground. */
export function Calendar({ weeks, onOpen }: Props) {
  return (
    <div className={classes.grid}>
      {WEEKDAYS.map((name) => (
        <Text key={name} size="xs" c="dimmed" fw={600} pl={8} aria-hidden>
          {name}
        </Text>
      ))}
      {weeks.flat().map((day, n) => (
        <Cell key={day.date} day={day} first={n === 0} onOpen={onOpen} />
      ))}
    </div>
  );
}

function Cell({ day, first, onOpen }: { day: Day; first: boolean; onOpen: (date: string) => void }) {
  const ground = { "--fullness": `${Math.round(day.fullness * DEEPEST)}%` } as CSSProperties;
  const look = `${classes.day} ${day.within ? "" : classes.outside} ${day.today ? classes.today : ""}`;
  if (day.total === 0) {
    return (
      <div className={look} style={ground}>
        <Number day={day} first={first} />
      </div>
    );
  }
  return (
    <UnstyledButton className={look} style={ground} onClick={() => onOpen(day.date)}>
      <VisuallyHidden>{dayName(day.date)}: </VisuallyHidden>
      <Number day={day} first={first} />
      {day.kinds.slice(0, KINDS).map(({ what, name, count }) => (
        <Group key={`${what} ${name}`} gap={6} wrap="nowrap" justify="space-between">
          <Text size="xs" truncate>
            {kindWord(name)}
          </Text>
          <Text size="xs" className="numbers">
            {count.toLocaleString()}
          </Text>
        </Group>
      ))}
      {day.kinds.length > KINDS && (
        <Text size="xs" c="dimmed">
          {day.kinds.length - KINDS} more kinds
        </Text>
      )}
    </UnstyledButton>
  );
}

function Number({ day, first }: { day: Day; first: boolean }) {
  return (
    <Group justify="space-between" gap={4} wrap="nowrap">
      <Text size="sm" fw={day.today ? 700 : 500} {...(day.within ? {} : { c: "dimmed" })}>
        {dayNumber(day.date, first || day.today)}
      </Text>
      {day.total > 0 && (
        <Text size="sm" fw={700} className="numbers">
          {day.total.toLocaleString()}
        </Text>
      )}
    </Group>
  );
}
