import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useProcess } from "@/features/events/operations/get-process";
import type { Process } from "@/features/events/schemas";
import { Details } from "@/kit/Details";
import { Section } from "@/kit/Section";
import { Asked } from "@/kit/states/Asked";
import { Loading } from "@/kit/states/Loading";
import { StatusBadge } from "@/kit/StatusBadge";
import type { Meaning } from "@/kit/theme";
import { When } from "@/kit/When";
import { fully } from "@/kit/time";

/** What the event's process is doing; and, which PostgreSQL knows without it, everybody's reminders. */
export function ProcessPanel({ eventId }: { eventId: number }) {
  const process = useProcess(eventId);
  return (
    <Section title="How it runs" about="The event's process tells everybody, and ends it.">
      <Asked query={process} loading={<Loading rows={3} height={28} />}>
        {(data) => <Shown process={data} />}
      </Asked>
    </Section>
  );
}

const STATES: Record<Process["state"], readonly [string, Meaning, string]> = {
  not_started: [
    "not started yet",
    "busy",
    "It is recorded, and started as soon as a worker and Temporal are there. Reminders do not wait for it.",
  ],
  running: ["running", "good", "It waits for what the organiser does, and for the end."],
  ended: ["ended", "waiting", "There is nothing more for it to do."],
  away: [
    "Temporal cannot be reached",
    "warning",
    "Reminders go out all the same, and nothing is lost: changes and announcements are told when it is back.",
  ],
};

const BROKEN: (typeof STATES)["ended"] = [
  "failed",
  "bad",
  "It ended with an error. Reminders go out all the same; changes and announcements are not told.",
];

function Shown({ process }: { process: Process }) {
  const [says, means, explains] = process.reason === "failed" ? BROKEN : STATES[process.state];
  const { participants, notifications, failedBroadcasts, overAt, remindersWaiting, nextReminderAt } = process;
  const known: readonly (readonly [string, ReactNode])[] = [
    ["Will end", at(overAt)],
    ["Participants", counted(participants)],
    ["Broadcasts", counted(notifications)],
    ["Given up", counted(failedBroadcasts)],
    ["Reason", process.reason],
    ["Reminders", remindersWaiting === 0 ? "none to come" : `${remindersWaiting.toLocaleString()} to come`],
    ["The next one", at(nextReminderAt)],
  ];
  return (
    <>
      <Group gap="xs" role="status">
        <StatusBadge status={says} means={means} />
      </Group>
      <Text size="sm" c="dimmed">
        {explains}
      </Text>
      <Details of={known.filter(([, value]) => value !== null)} />
    </>
  );
}

function counted(amount: number | null): string | null {
  return amount === null ? null : amount.toLocaleString();
}

function at(moment: string | null) {
  return moment === null ? null : (
    <>
      {fully(moment)} (<When at={moment} />)
    </>
  );
}
