import { describe, expect, it } from "vitest";
import {
  bodyOf,
  changesOf,
  draftOf,
  emptyDraft,
  faultsOf,
  isChanged,
  movedBy,
  toldOf,
  writtenIn,
} from "@/features/events/logic/draft";
import type { TidingsEvent } from "@/features/events/schemas";

const now = Date.parse("2026-11-16T12:00:00Z");
const EVENT: TidingsEvent = {
  id: 7,
  organiserId: "somebody",
  organiser: "Somebody",
  name: "Summer party",
  description: null,
  location: "Garden",
  startsAt: "2026-12-01T17:30:20Z",
  endsAt: null,
  overAt: "2026-12-02T17:30:20Z",
  timezone: "Europe/Rome",
  status: "active",
  version: 1,
  subscribers: 0,
  mine: true,
  joined: false,
  joinUrl: null,
};
const drafted = draftOf(EVENT);

describe("faultsOf", () => {
  it("asks for a name and a start", () => {
    expect(Object.keys(faultsOf(emptyDraft("UTC"), now, null)).sort()).toEqual(["name", "startsAt"]);
  });

  it("takes what is right", () => {
    expect(faultsOf(drafted, now, null)).toEqual({});
  });

  it("refuses a past start, unless it stays as it was", () => {
    const past = { ...drafted, start: { wall: "2026-11-16T12:59", later: false } };
    expect(faultsOf(past, now, null).startsAt).toMatch(/past/);
    expect(faultsOf(past, now, past)).toEqual({});
  });

  it("judges by the clocks of the zone", () => {
    const start = { wall: "2026-11-16T12:30", later: false };
    expect(faultsOf({ ...drafted, start, timezone: "UTC" }, now, null)).toEqual({});
    expect(faultsOf({ ...drafted, start, timezone: "Europe/Rome" }, now, null).startsAt).toMatch(/past/);
  });

  it("wants the end after the start", () => {
    const end = { wall: "2026-12-01T18:00", later: false };
    expect(faultsOf({ ...drafted, end }, now, null).endsAt).toMatch(/after/);
  });
});

describe("changesOf", () => {
  it("is nothing where nothing changed, seconds and all", () => {
    expect(isChanged(drafted, draftOf(EVENT))).toBe(false);
  });

  it("is what changed, with empty words as none", () => {
    expect(changesOf(drafted, { ...drafted, location: "  ", name: " Winter party " })).toEqual({
      location: null,
      name: "Winter party",
    });
  });

  it("moves the start where the zone changes, for its clocks show the same", () => {
    const changes = changesOf(drafted, { ...drafted, timezone: "America/New_York" });
    expect(changes).toEqual({ timezone: "America/New_York", startsAt: "2026-12-01T23:30:00.000Z" });
  });
});

it("knows what was written, and nothing else", () => {
  const end = { wall: "2026-12-01T23:00", later: false };
  expect(writtenIn(drafted, { ...drafted, start: { ...drafted.start }, end })).toEqual({ end });
});

it("says what subscribers will hear of", () => {
  const draft = { ...drafted, start: { wall: "2026-12-01T19:30", later: false }, location: "Hall" };
  expect(toldOf(drafted, draft)).toEqual(["the start", "the location"]);
  expect(movedBy(drafted, draft)).toBe(3_600_000);
});

it("sends moments, not clocks", () => {
  expect(bodyOf(drafted)).toMatchObject({ startsAt: "2026-12-01T17:30:00.000Z", endsAt: null });
});
