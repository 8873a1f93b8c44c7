import { describe, expect, it } from "vitest";
import type { Answer, Cause } from "@/features/activity/why/schemas";
import { byOwnClock, leads } from "@/features/activity/why/words";
import { exactly } from "@/kit/time";

function because(cause: Cause, more: Partial<Answer> = {}): Answer {
  const nothing = { listener: null, rule: null, ruleVersion: null, deliveryId: null, channel: null };
  return { cause, got: "no", sentences: [], at: null, ...nothing, ...more };
}

describe("leads", () => {
  it("lead to the rule whose condition was not met", () => {
    const found = leads(because("condition_not_met", { listener: "rule:r-1" }), "p-1");
    expect(found).toEqual([{ to: "/rules/r-1", says: "The rule" }]);
  });

  it("lead to no rule where a listener in code decided", () => {
    expect(leads(because("condition_not_met", { listener: "tell_the_owner" }), "p-1")).toEqual([]);
  });

  it("lead to the delivery and to what of the person decided", () => {
    const found = leads(because("quiet_hours", { deliveryId: "d-1" }), "p-1");
    expect(found.map(({ to }) => to)).toEqual([
      "/activity/deliveries?delivery=d-1",
      "/settings/people?person=p-1",
    ]);
  });

  it("lead to the provider that refused it", () => {
    expect(leads(because("rejected", { deliveryId: "d-1" }), "p-1").map(({ to }) => to)).toContain(
      "/channels",
    );
  });
});

describe("byOwnClock", () => {
  it("reads every moment by the clock of the viewer", () => {
    const said = byOwnClock("Recorded at 2026-11-16 11:53:32 UTC, sent at 2026-11-16 11:53:34 UTC.");
    expect(said).toBe(
      `Recorded at ${exactly("2026-11-16T11:53:32Z")}, sent at ${exactly("2026-11-16T11:53:34Z")}.`,
    );
  });

  it("leaves everything else as it is", () => {
    expect(byOwnClock("No rule is for 2026-11-16.")).toBe("No rule is for 2026-11-16.");
  });
});
