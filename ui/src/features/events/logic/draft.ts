import type { TidingsEvent } from "@/features/events/schemas";
import { moment, NEVER, timeOf, type Time } from "@/kit/zoned";

/** An event as it is being written. */
export interface Draft {
  name: string;
  description: string;
  location: string;
  timezone: string;
  start: Time;
  end: Time;
  organiserId: string | null;
}

export function emptyDraft(timezone: string): Draft {
  return {
    name: "",
    description: "",
    location: "",
    timezone,
    start: NEVER,
    end: NEVER,
    organiserId: null,
  };
}

export function draftOf(event: TidingsEvent): Draft {
  const { name, description, location, timezone, startsAt, endsAt, organiserId } = event;
  return {
    name,
    description: description ?? "",
    location: location ?? "",
    timezone,
    start: timeOf(startsAt, timezone),
    end: endsAt === null ? NEVER : timeOf(endsAt, timezone),
    organiserId,
  };
}

/** By the API's names of its fields. */
export type Faults = Readonly<Partial<Record<string, string>>>;

const LONGEST_NAME = 200;
const LONGEST_LOCATION = 500;
const LONGEST_DESCRIPTION = 10_000;
const NINE_YEARS = 9 * 365 * 86_400_000;

/** What is wrong with it. Times that stay as they were are not judged again, as the server does not. */
export function faultsOf(draft: Draft, now: number, before: Draft | null): Faults {
  const faults: Record<string, string> = {};
  if (draft.name.trim() === "") faults.name = "What is it called?";
  else if (draft.name.trim().length > LONGEST_NAME) faults.name = `At most ${LONGEST_NAME} characters.`;
  if (draft.location.trim().length > LONGEST_LOCATION)
    faults.location = `At most ${LONGEST_LOCATION} characters.`;
  if (draft.description.trim().length > LONGEST_DESCRIPTION)
    faults.description = `At most ${LONGEST_DESCRIPTION.toLocaleString("en")} characters.`;
  return { ...faults, ...timeFaults(draft, now, before) };
}

function timeFaults(draft: Draft, now: number, before: Draft | null): Faults {
  const faults: Record<string, string> = {};
  const start = moment(draft.start, draft.timezone);
  const end = moment(draft.end, draft.timezone);
  if (start === null) faults.startsAt = "When does it start?";
  else if (isNew("start", draft, before)) {
    if (start.getTime() <= now) faults.startsAt = "This is past. It must lie ahead.";
    else if (start.getTime() > now + NINE_YEARS) faults.startsAt = "Less than nine years ahead, please.";
  }
  if (end === null) return faults;
  if (start !== null && end <= start) faults.endsAt = "It must end after it starts.";
  else if (isNew("end", draft, before) && end.getTime() <= now)
    faults.endsAt = "This is past. It must lie ahead.";
  else if (end.getTime() > now + NINE_YEARS) faults.endsAt = "Less than nine years ahead, please.";
  return faults;
}

function isNew(which: "start" | "end", draft: Draft, before: Draft | null): boolean {
  if (before === null) return true;
  return (
    moment(draft[which], draft.timezone)?.getTime() !== moment(before[which], before.timezone)?.getTime()
  );
}

export interface EventBody {
  name: string;
  description: string | null;
  location: string | null;
  startsAt: string;
  endsAt: string | null;
  timezone: string;
  organiserId?: string;
}

/** What is sent for a new one. */
export function bodyOf(draft: Draft): EventBody {
  return {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    location: draft.location.trim() || null,
    startsAt: moment(draft.start, draft.timezone)?.toISOString() ?? "",
    endsAt: moment(draft.end, draft.timezone)?.toISOString() ?? null,
    timezone: draft.timezone,
    ...(draft.organiserId === null ? {} : { organiserId: draft.organiserId }),
  };
}

/** What is sent to change one: what differs, and nothing else. */
export function changesOf(before: Draft, draft: Draft): Partial<EventBody> {
  const [was, is] = [bodyOf(before), bodyOf(draft)];
  return Object.fromEntries(
    Object.entries(is).filter(([name, value]) => was[name as keyof EventBody] !== value),
  );
}

/** The parts that somebody wrote something else in. */
export function writtenIn(before: Draft, draft: Draft): Partial<Draft> {
  return Object.fromEntries(
    Object.entries(draft).filter(
      ([part, value]) => JSON.stringify(value) !== JSON.stringify(before[part as keyof Draft]),
    ),
  );
}

export function isChanged(before: Draft, draft: Draft): boolean {
  return Object.keys(changesOf(before, draft)).length > 0;
}

const TOLD: readonly (readonly [keyof EventBody, string])[] = [
  ["name", "the name"],
  ["startsAt", "the start"],
  ["endsAt", "the end"],
  ["timezone", "the timezone"],
  ["location", "the location"],
  ["description", "the description"],
];

/** What subscribers will be told of, in words, before it is saved. */
export function toldOf(before: Draft, draft: Draft): string[] {
  const changes = changesOf(before, draft);
  return TOLD.filter(([name]) => name in changes).map(([, words]) => words);
}

/** How far the start is moved, in milliseconds; 0 where it is not. */
export function movedBy(before: Draft, draft: Draft): number {
  const was = moment(before.start, before.timezone);
  const is = moment(draft.start, draft.timezone);
  return was === null || is === null ? 0 : is.getTime() - was.getTime();
}
