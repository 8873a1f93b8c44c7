import { describe, expect, it } from "vitest";
import { stepsOf } from "@/features/activity/trace/building";
import { everyStep, foldedAtFirst, lanes, type Step } from "@/features/activity/trace/steps";
import { after, attempt, delivery, notice, person, trace } from "@/features/activity/trace/traces";

const LATER = Date.parse(after(60_000));

function outline(root: Step): string[] {
  return lanes(root, new Set()).map(({ step, depth }) => `${"  ".repeat(depth)}${step.kind} ${step.title}`);
}

function only(root: Step, kind: string): Step {
  const found = everyStep(root).find((step) => step.kind === kind);
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
}

describe("stepsOf", () => {
  it("leads from the fact over rule and notice to the one delivery", () => {
    expect(outline(stepsOf(trace(), LATER))).toEqual([
      "fact order.paid",
      "  listener Orders",
      "    notice Order 7 is paid",
      "      delivery email to The owner",
    ]);
  });

  it("says why a rule did not tell anybody", () => {
    const heard = { listener: "rule:r", rule: "Large orders", ruleVersion: 1, versionNow: 1, at: after(20) };
    const listeners = [{ ...heard, told: false, verdict: "amount is 40, not greater than 100" }];
    const step = only(stepsOf(trace({ listeners, notices: [], deliveries: [] }), LATER), "listener");
    expect([step.words, step.means]).toEqual(["amount is 40, not greater than 100", "waiting"]);
  });

  it("puts several under their channel, what failed first, and who has no address last", () => {
    const failed = {
      id: "d2",
      notificationId: "m2",
      status: "failed" as const,
      tries: [attempt("rejected", 50)],
    };
    const root = stepsOf(
      trace({
        notifications: [
          person("m", "The owner"),
          person("m2", "A guest"),
          person("m3", "The cook", ["email"]),
        ],
        deliveries: [delivery(), delivery(failed)],
        counts: [
          { noticeId: "n", channel: "email", status: "sent", open: false, count: 1 },
          { noticeId: "n", channel: "email", status: "failed", open: false, count: 1 },
        ],
      }),
      LATER,
    );
    const channel = only(root, "channel");
    expect(channel.words).toBe("1 failed · 1 sent · 1 without an address");
    expect(channel.means).toBe("warning");
    expect(channel.steps.map(({ title }) => title)).toEqual([
      "email to A guest",
      "email to The owner",
      "The cook",
    ]);
  });

  it("names a few of those who had no address, and counts the others", () => {
    const notifications = ["A", "B", "C", "D", "E"].map((name) => person(name, name, ["email"]));
    const root = stepsOf(trace({ notifications, deliveries: [], counts: [] }), LATER);
    expect(only(root, "silence").title).toBe("A, B, C and 2 more");
  });

  it("shows where somebody chose to hear of it, and who chose in vain", () => {
    const routed = { routed: true, missing: [] };
    const root = stepsOf(
      trace({
        notifications: [
          { ...person("m", "The owner"), ...routed },
          { ...person("m2", "A guest"), ...routed, targets: 0 },
        ],
        deliveries: [delivery({ channel: "apprise" })],
        counts: [{ noticeId: "n", channel: "apprise", status: "sent", open: false, count: 1 }],
      }),
      LATER,
    );
    expect(only(root, "delivery").title).toBe("apprise to The owner");
    const silence = only(root, "silence");
    expect([silence.title, silence.words]).toEqual([
      "A guest",
      "The integrations they chose are gone or turned off.",
    ]);
  });

  it("folds a broadcast, and counts more than it lists", () => {
    const many = Array.from({ length: 100 }, (_, n) => delivery({ id: `d${n}`, notificationId: `m${n}` }));
    const counts = [{ noticeId: "n", channel: "email", status: "sent" as const, open: false, count: 5_000 }];
    const root = stepsOf(trace({ deliveries: many, counts, counted: 5_000, truncated: true }), LATER);
    expect(foldedAtFirst(root)).toEqual(["channel:n:email"]);
    expect(only(root, "channel").words).toBe(`${(5_000).toLocaleString()} sent`);
  });

  it("tells what is tried again from what failed for good", () => {
    const retrying = [{ noticeId: "n", channel: "email", status: "failed" as const, open: true, count: 2 }];
    const open = { status: "failed" as const, finishedAt: null };
    const root = stepsOf(
      trace({ deliveries: [delivery(open), delivery({ ...open, id: "e" })], counts: retrying }),
      LATER,
    );
    expect(only(root, "channel").words).toBe("2 retrying");
  });

  it("never draws anything before the fact", () => {
    const early = stepsOf(trace({ notices: [notice({ createdAt: after(-5) })] }), LATER);
    expect(everyStep(early).every((step) => step.at >= 0)).toBe(true);
  });
});
