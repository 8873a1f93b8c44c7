import { Alert, Anchor, SegmentedControl, Stack, useMantineTheme } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconCalendarEvent, IconHandStop, IconHourglass } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { busyDays, dayOf, weeks } from "@/features/forecast/calendar";
import { Calendar } from "@/features/forecast/components/Calendar";
import { DayDrawer } from "@/features/forecast/components/DayDrawer";
import { DayList } from "@/features/forecast/components/DayList";
import { useForecast } from "@/features/forecast/operations/get-forecast";
import { spans, type Forecast, type Span } from "@/features/forecast/schemas";
import { kindWord } from "@/features/forecast/words";
import { PageHead } from "@/kit/PageHead";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { meaning } from "@/kit/theme";
import { viewersZone } from "@/kit/time";

const route = getRouteApi("/shell/forecast");
const USUAL: Span = 31;
const NAMES: Record<Span, string> = { 7: "7 days", 14: "2 weeks", 31: "A month" };

/** The calendar of what will go out, from what is there now. */
export function ForecastPage() {
  const { days = USUAL, day } = route.useSearch();
  const navigate = useNavigate({ from: "/forecast" });
  const forecast = useForecast(days);
  const open = (date: string | undefined) => void navigate({ search: (now) => ({ ...now, day: date }) });
  return (
    <>
      <PageHead title="Forecast" about={`What will go out, day by day, by your clock (${viewersZone()}).`}>
        <SegmentedControl
          aria-label="How far ahead"
          value={String(days)}
          onChange={(chosen) =>
            void navigate({ search: (now) => ({ ...now, days: spans.find((n) => String(n) === chosen) }) })
          }
          data={spans.map((span) => ({ value: String(span), label: NAMES[span] }))}
        />
      </PageHead>
      <Asked query={forecast}>{(data) => <Shown forecast={data} onOpen={open} />}</Asked>
      <DayDrawer day={day} onClose={() => open(undefined)} />
    </>
  );
}

function Shown({ forecast, onOpen }: { forecast: Forecast; onOpen: (date: string) => void }) {
  const wide = useMediaQuery(`(min-width: ${useMantineTheme().breakpoints.sm})`, true);
  const { expected, timezone } = forecast;
  const calendar = weeks(expected, dayOf(forecast.since, timezone), dayOf(forecast.until, timezone));
  return (
    <Stack>
      <Warnings forecast={forecast} />
      {expected.length === 0 && <Nothing />}
      {wide ? (
        <Calendar weeks={calendar} onOpen={onOpen} />
      ) : (
        <DayList days={busyDays(calendar)} onOpen={onOpen} />
      )}
    </Stack>
  );
}

function Nothing() {
  return (
    <Panel>
      <Empty icon={IconCalendarEvent} title="Nothing is planned">
        What is scheduled for later, notices that a rule delays, messages that wait for the end of quiet
        hours, and retries appear here by themselves. What rules will make of facts that have not happened is
        not foretold.
      </Empty>
    </Panel>
  );
}

function Warnings({ forecast: { held, unserved, capped } }: { forecast: Forecast }) {
  return (
    <>
      {held > 0 && (
        <Alert color="orange" icon={<IconHandStop size={18} />} title={`${held.toLocaleString()} held`}>
          They wait for somebody to decide, and are in no day.{" "}
          <Anchor component={Link} to="/activity/deliveries?status=unknown" size="sm" underline="always">
            Look at them
          </Anchor>
        </Alert>
      )}
      {unserved.length > 0 && (
        <Alert color={meaning.busy} icon={<IconHourglass size={18} />} title="Waiting for a handler">
          No running worker handles {unserved.map(kindWord).join(", ")}. Nothing is lost: it waits for one
          that does.
        </Alert>
      )}
      {capped && (
        <Alert variant="default" title="There is more">
          No more than 10,000 of each kind and provider are counted.
        </Alert>
      )}
    </>
  );
}
