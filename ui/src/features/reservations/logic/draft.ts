import { moment, NEVER, type Time } from "@/kit/zoned";

/** A reservation as it is being written. */
export interface Draft {
  restaurantId: number | null;
  customerId: string | null;
  agencyId: number | null;
  /** A number, or what somebody has written in place of one. */
  partySize: number | string;
  /** By the restaurant's clocks. */
  time: Time;
  note: string;
}

export const EMPTY: Draft = {
  restaurantId: null,
  customerId: null,
  agencyId: null,
  partySize: 2,
  time: NEVER,
  note: "",
};

/** By the API's names of its fields. */
export type Faults = Readonly<Partial<Record<string, string>>>;

const LARGEST_PARTY = 1_000;
const LONGEST_NOTE = 2_000;
const TWO_YEARS = 730 * 86_400_000;

export function faultsOf(draft: Draft, zone: string, now: number): Faults {
  const faults: Record<string, string> = {};
  const { restaurantId, customerId, partySize, time, note } = draft;
  if (restaurantId === null) faults.restaurantId = "Which restaurant?";
  if (customerId === null) faults.customerId = "Who wants to come?";
  if (typeof partySize !== "number" || !Number.isInteger(partySize) || partySize < 1)
    faults.partySize = "How many come?";
  else if (partySize > LARGEST_PARTY)
    faults.partySize = `At most ${LARGEST_PARTY.toLocaleString("en")}, please.`;
  const at = moment(time, zone);
  if (at === null) faults.time = "When do they want to come?";
  else if (at.getTime() <= now) faults.time = "This is past. It must lie ahead.";
  else if (at.getTime() > now + TWO_YEARS) faults.time = "Within two years, please.";
  if (note.trim().length > LONGEST_NOTE)
    faults.note = `At most ${LONGEST_NOTE.toLocaleString("en")} characters.`;
  return faults;
}

export interface ReservationBody {
  restaurantId: number | null;
  customerId: string | null;
  agencyId: number | null;
  partySize: number;
  time: string;
  note: string | null;
}

/** What is sent, of a draft without faults. */
export function bodyOf({ time, note, partySize, ...rest }: Draft, zone: string): ReservationBody {
  return {
    ...rest,
    partySize: Number(partySize),
    time: moment(time, zone)?.toISOString() ?? "",
    note: note.trim() || null,
  };
}
