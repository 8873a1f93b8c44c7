import { describe, expect, it } from "vitest";
import { doneOf, mayCancel, mayRetryDns, stepsOf, type Standing } from "@/features/organizations/logic/steps";
import { steps, type Bootstrap, type Step } from "@/features/organizations/schemas";

const LIVE: Bootstrap["live"] = {
  state: "running",
  reason: null,
  stage: "waitForPropagation",
  waitsUntil: null,
  verificationTries: 0,
  lastVerification: null,
};

/** One of which so many steps are on record as done. */
function at(done: number, part: Partial<Bootstrap> = {}): Bootstrap {
  return {
    organizationId: "o",
    name: "The north clinic",
    domain: "north.example.org",
    status: "running",
    progress: steps.map((step, place) => ({ step, completed: place < done, error: null })),
    undone: [],
    stage: null,
    error: null,
    leftOver: [],
    mails: { sent: 0, failed: 0, waiting: 0 },
    live: LIVE,
    result: null,
    mayManage: true,
    createdAt: "2026-11-19T12:00:00Z",
    closedAt: null,
    ...part,
  };
}

/** The same, where a step has come to grief. */
function troubled(done: number, where: Step, error: string, part: Partial<Bootstrap>): Bootstrap {
  const bootstrap = at(done, { error, ...part });
  const progress = bootstrap.progress.map((each) => (each.step === where ? { ...each, error } : each));
  return { ...bootstrap, progress };
}

const standings = (bootstrap: Bootstrap): Standing[] => stepsOf(bootstrap).map(({ standing }) => standing);
const many = (standing: Standing, count: number): Standing[] => Array<Standing>(count).fill(standing);

describe("going forward", () => {
  it("begins nothing before it is started", () => {
    expect(
      standings(at(0, { status: "initiated", live: { ...LIVE, state: "not_started", stage: null } })),
    ).toEqual(many("ahead", 8));
  });

  it("is where its process says, which is ahead of what is on record", () => {
    const live = { ...LIVE, stage: "verifyDns" };
    expect(standings(at(3, { live }))).toEqual([...many("done", 4), "now", ...many("ahead", 3)]);
  });

  it.each([
    { ...LIVE, state: "away" as const, stage: null },
    { ...LIVE, stage: "somethingNew" },
  ])("is at the first step that is not on record where nobody says so: %o", (live) => {
    expect(standings(at(5, { live }))).toEqual([...many("done", 5), "now", ...many("ahead", 2)]);
  });

  it("is done when it is complete, whatever is on record", () => {
    const shown = stepsOf(at(7, { status: "completed" }));
    expect(shown.map(({ standing }) => standing)).toEqual(many("done", 8));
    expect(doneOf(shown)).toBe(8);
  });
});

describe("going back", () => {
  it("takes back what was done, the last first, and leaves alone what leaves nothing behind", () => {
    const cancelled = { status: "compensating", undone: ["removeDns"] } as const;
    const half = troubled(4, "verifyDns", "it was cancelled", {
      ...cancelled,
      undone: [...cancelled.undone],
    });
    expect(standings(half)).toEqual(["undoing", "undoing", "undone", "done", "stopped", ...many("never", 3)]);
  });

  it("says failed where a step failed, and stopped where it was cancelled", () => {
    const undone: Bootstrap["undone"] = ["removeDns", "revokePermissions", "deactivateOrganization"];
    const failed = troubled(3, "verifyDns", "DNS has not propagated", { status: "failed", undone });
    expect(standings(failed).slice(3, 5)).toEqual(["never", "failed"]);
    const cancelled = troubled(3, "verifyDns", "whatever", { status: "cancelled", undone });
    expect(standings(cancelled)).toEqual([...many("undone", 3), "never", "stopped", ...many("never", 3)]);
  });

  it("says what could not be taken back, of a step that failed half-way too", () => {
    const part: Partial<Bootstrap> = {
      status: "failed",
      leftOver: ["removeDns"],
      undone: ["revokePermissions"],
    };
    const failed = troubled(2, "configureDns", "the provider said no", part);
    expect(standings(failed).slice(1, 3)).toEqual(["undone", "left"]);
  });

  it("has nothing to take back where nothing was begun", () => {
    const never = troubled(0, "createOrganization", "it was cancelled", { status: "cancelled" });
    expect(standings(never)).toEqual(["stopped", ...many("never", 7)]);
  });
});

describe("what one may do", () => {
  it.each<[Partial<Bootstrap>, boolean, boolean]>([
    [{}, true, true],
    [{ live: { ...LIVE, stage: "verifyDns" } }, true, true],
    [{ live: { ...LIVE, stage: "sendInvitations" } }, false, true],
    [{ live: { ...LIVE, state: "away", stage: null } }, false, true],
    [{ status: "initiated" }, false, true],
    [{ status: "compensating" }, false, false],
    [{ status: "completed" }, false, false],
    [{ status: "cancelled" }, false, false],
    [{ mayManage: false }, false, false],
  ])("of %o: look up DNS %o, cancel %o", (part, retry, cancel) => {
    expect([mayRetryDns(at(3, part)), mayCancel(at(3, part))]).toEqual([retry, cancel]);
  });
});
