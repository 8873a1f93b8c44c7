import type { CadenceType, CatchUp, Schedule } from "@/features/reports/schemas";

/** A schedule as it is being written. What its cadence does not take is kept, for whoever changes their mind. */
export interface Draft {
  reportTypeId: string | null;
  name: string;
  cadenceType: CadenceType;
  weekday: number;
  /** A number, or what somebody has written in place of one. */
  intervalWeeks: number | string;
  monthlyBy: "day" | "weekday";
  monthDay: number | string;
  week: number;
  cron: string;
  time: string;
  timezone: string;
  recipients: string[];
  catchUp: CatchUp;
}

export function emptyDraft(timezone: string): Draft {
  return {
    reportTypeId: null,
    name: "",
    cadenceType: "weekly",
    weekday: 0,
    intervalWeeks: 1,
    monthlyBy: "day",
    monthDay: 1,
    week: 1,
    cron: "",
    time: "09:00",
    timezone,
    recipients: [],
    catchUp: "latest",
  };
}

export function draftOf(schedule: Schedule): Draft {
  const { cadenceType, cadenceDay, cadenceWeekday, cadenceWeek } = schedule;
  const empty = emptyDraft(schedule.timezone);
  return {
    ...empty,
    reportTypeId: schedule.reportTypeId,
    name: schedule.name ?? "",
    cadenceType,
    weekday: (cadenceType === "weekly" ? cadenceDay : cadenceWeekday) ?? empty.weekday,
    intervalWeeks: schedule.intervalWeeks,
    monthlyBy: cadenceWeek === null ? "day" : "weekday",
    monthDay: cadenceType === "monthly" ? (cadenceDay ?? empty.monthDay) : empty.monthDay,
    week: cadenceWeek ?? empty.week,
    cron: schedule.cronExpression ?? "",
    time: schedule.scheduleTime ?? empty.time,
    recipients: schedule.recipients.map(({ email }) => email),
    catchUp: schedule.catchUp,
  };
}

/** By the API's names of its fields. */
export type Faults = Readonly<Partial<Record<string, string>>>;

const MOST_RECIPIENTS = 50;
const LONGEST_INTERVAL = 52;
const LAST_DAY = 31;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What is wrong with a draft; `named` is whether its schedule has a name, which can be changed and not be taken away. */
export function faultsOf(draft: Draft, named = false): Faults {
  const faults: Partial<Record<string, string>> = { ...timingFaults(draft) };
  const { reportTypeId, recipients, name } = draft;
  if (reportTypeId === null) faults.reportTypeId = "Which report?";
  const odd = recipients.find((each) => !EMAIL.test(each));
  if (recipients.length === 0) faults.recipients = "Who gets it? Write an e-mail address, then press Enter.";
  else if (odd !== undefined) faults.recipients = `${odd} is no e-mail address.`;
  else if (recipients.length > MOST_RECIPIENTS) faults.recipients = `At most ${MOST_RECIPIENTS}, please.`;
  if (named && name.trim() === "") faults.name = "It has a name; give it another one.";
  return faults;
}

/** What keeps one from saying when it would run. */
export function timingFaults(draft: Draft): Faults {
  const { cadenceType, intervalWeeks, monthlyBy, monthDay, cron, time } = draft;
  const faults: Record<string, string> = {};
  if (cadenceType === "cron") {
    if (cron.trim().split(/\s+/).length !== 5) faults.cronExpression = "Five fields, such as 0 9 * * 1-5.";
    return faults;
  }
  if (time === "") faults.scheduleTime = "At what time?";
  if (cadenceType === "weekly" && !isWithin(intervalWeeks, LONGEST_INTERVAL))
    faults.intervalWeeks = `1 to ${LONGEST_INTERVAL} weeks.`;
  if (cadenceType === "monthly" && monthlyBy === "day" && !isWithin(monthDay, LAST_DAY))
    faults.cadenceDay = `1 to ${LAST_DAY}.`;
  return faults;
}

function isWithin(value: number | string, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most;
}

export interface TimingBody {
  cadenceType: CadenceType;
  cadenceDay: number | null;
  cadenceWeekday?: number;
  cadenceWeek?: number;
  intervalWeeks?: number;
  cronExpression?: string;
  scheduleTime?: string;
  timezone: string;
}

/** When it is due, of a draft without faults: what its cadence takes, and nothing else. */
export function timingOf(draft: Draft): TimingBody {
  const { cadenceType, timezone, time: scheduleTime, weekday } = draft;
  const base = { cadenceType, timezone, cadenceDay: null };
  switch (cadenceType) {
    case "daily":
      return { ...base, scheduleTime };
    case "weekly":
      return { ...base, scheduleTime, cadenceDay: weekday, intervalWeeks: Number(draft.intervalWeeks) };
    case "monthly":
      return draft.monthlyBy === "day"
        ? { ...base, scheduleTime, cadenceDay: Number(draft.monthDay) }
        : { ...base, scheduleTime, cadenceWeekday: weekday, cadenceWeek: draft.week };
    case "cron":
      return { ...base, cronExpression: draft.cron.trim() };
  }
}

export interface ScheduleBody extends TimingBody {
  reportTypeId: string | null;
  recipients?: string[];
  name?: string;
  catchUp: CatchUp;
}

/** What is sent for a new one. */
export function bodyOf(draft: Draft): ScheduleBody {
  const { reportTypeId, recipients, catchUp } = draft;
  const name = draft.name.trim();
  return { ...timingOf(draft), reportTypeId, recipients, catchUp, ...(name === "" ? {} : { name }) };
}

/** What is sent to change one: its recipients only where they are others. */
export function changesOf(schedule: Schedule, draft: Draft): ScheduleBody {
  const { recipients, ...rest } = bodyOf(draft);
  const same = JSON.stringify(recipients) === JSON.stringify(draftOf(schedule).recipients);
  return same || recipients === undefined ? rest : { ...rest, recipients };
}

/** What the server found wrong with single recipients stands at all of them, with the address. */
export function gathered(refused: Faults, { recipients }: Draft): Faults {
  const found = Object.entries(refused).find(([field]) => /^recipients\W/.test(field));
  if (found === undefined) return refused;
  const email = recipients[Number(/\d+/.exec(found[0])?.[0] ?? -1)];
  return { ...refused, recipients: email === undefined ? (found[1] ?? "") : `${email}: ${found[1] ?? ""}` };
}

export type PreviewBody = TimingBody & { from?: string };

const A_MINUTE = 60_000;

/**
 * What the next runs are asked for with; null while they cannot be said. Every so many weeks are counted from a change:
 * where nothing of that was changed, from the next run.
 */
export function previewOf(draft: Draft, schedule?: Schedule): PreviewBody | null {
  if (Object.keys(timingFaults(draft)).length > 0) return null;
  const timing = timingOf(draft);
  if (schedule === undefined || schedule.nextRunAt === null) return timing;
  if (JSON.stringify(timing) !== JSON.stringify(timingOf(draftOf(schedule)))) return timing;
  return { ...timing, from: new Date(Date.parse(schedule.nextRunAt) - A_MINUTE).toISOString() };
}

export function isUnsaved(start: Draft, draft: Draft): boolean {
  return JSON.stringify(start) !== JSON.stringify(draft);
}
