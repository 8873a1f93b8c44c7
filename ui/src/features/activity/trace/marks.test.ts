import { describe, expect, it } from "vitest";
import { marksOfDelivery, marksOfIntent } from "@/features/activity/trace/marks";
import { after, attempt, delivery } from "@/features/activity/trace/traces";

const NINE = Date.parse(after(0));
const since = (moment: string) => Date.parse(moment) - NINE;
const HOUR = 3_600_000;

function drawn(it: Parameters<typeof delivery>[0], now = 60_000) {
  return marksOfDelivery(delivery(it), since, now).map(({ look, from, to, means }) => [
    look,
    from,
    to,
    means,
  ]);
}

describe("marksOfDelivery", () => {
  it("waits, then is sent", () => {
    expect(drawn({})).toEqual([
      ["wait", 20, 30, "waiting"],
      ["work", 30, 40, "good"],
    ]);
  });

  it("shows each attempt and the wait before the next", () => {
    const tries = [attempt("deferred", 40), attempt("sent", 2_040)];
    expect(drawn({ tries })).toEqual([
      ["wait", 20, 30, "waiting"],
      ["work", 30, 40, "warning"],
      ["wait", 40, 2_030, "warning"],
      ["work", 2_030, 2_040, "good"],
    ]);
  });

  it("waits for the end of quiet hours, which are still to come", () => {
    const tries = [attempt("quiet", 30, { tookSeconds: null })];
    const waiting = { tries, status: "pending" as const, finishedAt: null, runAt: after(8 * HOUR) };
    expect(drawn(waiting).at(-1)).toEqual(["wait", 30, 8 * HOUR, "waiting"]);
    expect(marksOfDelivery(delivery(waiting), since, 60_000).at(-1)?.says).toBe("Quiet hours: 7 h 59 min");
  });

  it("ends with what the provider reported", () => {
    expect(drawn({ confirmed: "bounced", confirmedAt: after(9_000) }).at(-1)).toEqual([
      "receipt",
      9_000,
      9_000,
      "bad",
    ]);
  });
});

describe("marksOfIntent", () => {
  const intent = {
    id: "i",
    kind: "notice.fan_out",
    status: "pending",
    attempts: 0,
    lastError: null,
    createdAt: after(20),
    runAt: after(20),
    finishedAt: null,
    noticeId: null,
  };

  it("is worked on from when it was made", () => {
    const done = { ...intent, status: "succeeded", finishedAt: after(45) };
    expect(marksOfIntent(done, since, 99)).toMatchObject([{ look: "work", from: 20, to: 45, means: "good" }]);
  });

  it("waits for its time, and longer than until now", () => {
    const later = { ...intent, runAt: after(2 * HOUR) };
    expect(marksOfIntent(later, since, 99)).toMatchObject([{ look: "wait", from: 20, to: 2 * HOUR }]);
  });
});
