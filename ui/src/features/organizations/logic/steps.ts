import { isTurned } from "@/features/organizations/logic/words";
import { steps, type Bootstrap, type Step, type Undo } from "@/features/organizations/schemas";

/**
 * How a step stands. Going forward it is `done`, `now` or `ahead`; going back, what was done is `undoing` until it is
 * `undone`, or `left` where that could not be done yet; what came to grief is `failed`, where it was cancelled `stopped`,
 * and what was never begun `never`.
 */
export type Standing =
  "done" | "now" | "ahead" | "undoing" | "undone" | "left" | "failed" | "stopped" | "never";

export interface StepShown {
  step: Step;
  standing: Standing;
  error: string | null;
}

/** What takes which step back. The others leave nothing behind. */
const UNDOES: Partial<Record<Step, Undo>> = {
  createOrganization: "deactivateOrganization",
  grantPermissions: "revokePermissions",
  configureDns: "removeDns",
  generateInvitations: "revokeInvitations",
};

export function stepsOf(bootstrap: Bootstrap): StepShown[] {
  const turned = isTurned(bootstrap.status);
  const at = placeNow(bootstrap);
  return bootstrap.progress.map(({ step, completed, error }, place) => ({
    step,
    error,
    standing: turned ? backward(bootstrap, step, completed, error) : forward(bootstrap, place, at, completed),
  }));
}

function forward({ status }: Bootstrap, place: number, at: number, completed: boolean): Standing {
  if (status === "completed") return "done";
  if (status === "initiated") return "ahead";
  if (place === at) return "now";
  return completed || place < at ? "done" : "ahead";
}

function backward(bootstrap: Bootstrap, step: Step, completed: boolean, error: string | null): Standing {
  const { status, undone, leftOver } = bootstrap;
  const undo = UNDOES[step];
  if (undo !== undefined && leftOver.includes(undo)) return "left";
  if (error !== null && !completed)
    return status === "cancelled" || isStopped(bootstrap) ? "stopped" : "failed";
  if (!completed) return "never";
  if (undo === undefined) return "done";
  if (undone.includes(undo)) return "undone";
  return status === "compensating" ? "undoing" : "done";
}

/** While it goes back, its first error alone says why. */
function isStopped({ error }: Bootstrap): boolean {
  return error?.startsWith("it was cancelled") === true;
}

/** Where it is: as its process says, or else at the first step that is not on record as done. */
function placeNow({ live, progress }: Bootstrap): number {
  const told = live.state === "running" ? (steps as readonly (string | null)[]).indexOf(live.stage) : -1;
  return told >= 0 ? told : progress.findIndex(({ completed }) => !completed);
}

/** "5 of 8 steps are done." */
export function doneOf(shown: readonly StepShown[]): number {
  return shown.filter(({ standing }) => standing === "done").length;
}

/** Where it waits for DNS, and who looks may hurry it. */
export function mayRetryDns({ status, live, mayManage }: Bootstrap): boolean {
  const waits = live.stage === "waitForPropagation" || live.stage === "verifyDns";
  return mayManage && status === "running" && waits;
}

/** One that is complete, or goes back already, cannot be cancelled any more. */
export function mayCancel({ status, mayManage }: Bootstrap): boolean {
  return mayManage && (status === "initiated" || status === "running");
}
