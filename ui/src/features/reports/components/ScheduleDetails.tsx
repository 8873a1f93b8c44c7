import { Alert, Group, List, Text } from "@mantine/core";
import { ScheduleStatusBadge } from "@/features/reports/components/ScheduleStatusBadge";
import { Times } from "@/features/reports/components/Times";
import { cadenceInWords, catchUpWords } from "@/features/reports/logic/words";
import type { ReportType, Schedule } from "@/features/reports/schemas";
import { Details } from "@/kit/Details";
import { sentence } from "@/kit/refused";
import { Section } from "@/kit/Section";
import { StatusBadge } from "@/kit/StatusBadge";
import { When } from "@/kit/When";
import { amountOf } from "@/kit/words";

interface Props {
  schedule: Schedule;
  type: ReportType | undefined;
}

/** Which report, when it is due, and for whom. */
export function ScheduleDetails({ schedule, type }: Props) {
  const { status, nextRunAt, timezone, reportTypeId, catchUp, warnings, updatedAt, recipients } = schedule;
  return (
    <>
      <Section title="What it is" about={type?.description}>
        <Details
          of={[
            ["State", <ScheduleStatusBadge key="state" status={status} />],
            ["Report", type?.name ?? reportTypeId],
            ["When", cadenceInWords(schedule)],
            [
              "Next run",
              nextRunAt === null ? "none, until it is resumed" : <Times at={nextRunAt} zone={timezone} />,
            ],
            ["Missed runs", catchUpWords[catchUp]],
            ["Changed", <When key="changed" at={updatedAt} />],
          ]}
        />
        {warnings.map((warning) => (
          <Alert key={warning} color="orange" role="note">
            {sentence(warning)}
          </Alert>
        ))}
      </Section>
      <Section title="Recipients" about={amountOf(recipients.length, "address", "addresses")}>
        <List listStyleType="none" spacing={6} aria-label="Recipients">
          {recipients.map(({ id, email, isActive }) => (
            <List.Item key={id}>
              <Group gap="xs">
                <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                  {email}
                </Text>
                {!isActive && <StatusBadge status="unsubscribed" means="waiting" />}
              </Group>
            </List.Item>
          ))}
        </List>
      </Section>
    </>
  );
}
