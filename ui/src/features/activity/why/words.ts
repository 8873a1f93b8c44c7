import type { Answer, Cause, Got } from "@/features/activity/why/schemas";
import type { Meaning } from "@/kit/theme";
import { exactly } from "@/kit/time";

/** What decided, in a few words. */
export const CAUSES: Record<Cause, string> = {
  fact_unknown: "No such fact",
  no_rule: "No rule is for it",
  rule_disabled: "The rule is switched off",
  rule_came_later: "The rule came later",
  nothing_happened: "Nothing happened",
  tenant_suspended: "The tenant is suspended",
  no_worker: "No worker is running",
  due_later: "Due later",
  being_prepared: "Being prepared",
  preparing_fails: "Preparing it fails",
  preparing_failed: "Preparing it failed",
  preparing_cancelled: "Cancelled",
  condition_not_met: "A condition was not met",
  nothing_said: "Nothing was said",
  delayed: "Delayed by the rule",
  fanning_out: "On its way out",
  fan_out_failed: "Sending it out failed",
  not_in_audience: "Not in the audience",
  joined_later: "Joined later",
  no_address: "No address",
  no_integration: "Their integrations are gone or turned off",
  notice_closed: "The notice was closed",
  person_gone: "The person was deleted",
  address_gone: "The address is gone",
  address_disabled: "The address is not used",
  suppressed: "The address is suppressed",
  not_wanted: "Not wanted",
  skipped: "Skipped",
  quiet_hours: "Quiet hours",
  circuit_open: "The provider keeps failing",
  provider_disabled: "The provider is switched off",
  will_retry: "Will be tried again",
  waiting: "Waiting",
  sending: "Being sent",
  held: "Held",
  expired: "Out of time",
  rejected: "Refused by the provider",
  failed: "Failed",
  sent: "Sent",
  bounced: "Came back",
  complained: "Marked as unwanted",
  not_kept: "Not kept any more",
};

export const GOT: Record<Got, readonly [Meaning, string]> = {
  yes: ["good", "got it"],
  not_yet: ["busy", "has not got it yet"],
  unknown: ["warning", "may have got it"],
  no: ["bad", "did not get it"],
};

/** Where to look, or what to change: the rule, the person, the provider, the delivery. */
export interface Lead {
  to: string;
  says: string;
}

const BY_RULE: ReadonlySet<Cause> = new Set<Cause>([
  "rule_disabled",
  "rule_came_later",
  "condition_not_met",
  "not_in_audience",
  "joined_later",
  "delayed",
]);
const BY_PERSON: Partial<Record<Cause, string>> = {
  not_wanted: "Their preferences",
  quiet_hours: "Their quiet hours",
  no_address: "Their addresses",
  no_integration: "Their addresses",
  address_disabled: "Their addresses",
  address_gone: "Their addresses",
  suppressed: "Their addresses",
  bounced: "Their addresses",
  joined_later: "The person",
  not_in_audience: "The person",
};
const BY_PROVIDER: ReadonlySet<Cause> = new Set<Cause>([
  "circuit_open",
  "provider_disabled",
  "rejected",
  "failed",
]);
const BY_WORK: ReadonlySet<Cause> = new Set<Cause>([
  "no_worker",
  "preparing_fails",
  "preparing_failed",
  "preparing_cancelled",
  "fan_out_failed",
]);

export function leads(answer: Answer, person: string): Lead[] {
  const found: Lead[] = [];
  const { cause, listener, deliveryId } = answer;
  if (deliveryId !== null)
    found.push({ to: `/activity/deliveries?delivery=${deliveryId}`, says: "The delivery" });
  if (BY_RULE.has(cause) && listener?.startsWith("rule:")) {
    found.push({ to: `/rules/${listener.slice("rule:".length)}`, says: "The rule" });
  }
  if (cause === "no_rule") found.push({ to: "/rules", says: "Make a rule" });
  const theirs = BY_PERSON[cause];
  if (theirs !== undefined) found.push({ to: `/settings/people?person=${person}`, says: theirs });
  if (BY_PROVIDER.has(cause)) found.push({ to: "/channels", says: "Channels and providers" });
  if (BY_WORK.has(cause)) found.push({ to: "/outbox", says: "The outbox" });
  return found;
}

const MOMENT = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g;

/** Sentences name moments in UTC; a viewer reads them by their own clock. */
export function byOwnClock(sentence: string): string {
  return sentence.replace(MOMENT, (_, day: string, time: string) => exactly(`${day}T${time}Z`));
}
