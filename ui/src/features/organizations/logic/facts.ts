import { roleInWords, undoWords } from "@/features/organizations/logic/words";
import type { OrganizationFact } from "@/features/organizations/schemas";
import { amountOf } from "@/kit/words";

const FACTS: Record<string, string> = {
  "organization.bootstrap.initiated": "Asked for",
  "organization.created": "Created",
  "organization.permissions.granted": "Permissions granted",
  "organization.dns.configured": "DNS set up",
  "organization.subdomain.verified": "Domain verified",
  "user.invited": "Somebody invited",
  "invitation.email.requested": "Mail asked for",
  "invitation.email.sent": "Mail sent",
  "invitation.email.failed": "Mail failed",
  "invitation.resent": "New link made",
  "invitation.revoked": "Invitation revoked",
  "invitation.accepted": "Invitation accepted",
  "organization.bootstrap.completed": "Active",
  "organization.cancellation.requested": "Cancellation asked for",
  "organization.bootstrap.compensating": "Going back",
  "organization.permissions.revoked": "Permissions revoked",
  "organization.dns.removed": "DNS removed",
  "organization.deactivated": "Deactivated",
  "organization.undo.failed": "Could not be taken back yet",
  "organization.undo.done": "Taken back after all",
  "organization.bootstrap.failed": "Failed",
  "organization.bootstrap.cancelled": "Cancelled",
};

/** A fact as one says it; of a type that is not known here, its type. */
export function factInWords(type: string): string {
  return FACTS[type] ?? type;
}

/** What is worth knowing of it, in a line; null where its name says all. */
export function detailOf({ type, data }: OrganizationFact): string | null {
  switch (type) {
    case "organization.created":
      return Array.isArray(data.path) ? data.path.join(".") : null;
    case "organization.permissions.granted":
      return `for ${amountOf(Object.keys(grantsIn(data)).length, "role")}`;
    case "organization.dns.configured":
      return `${text(data.fqdn)} leads to ${text(data.target)}${data.ours === true ? "" : ", by a record that was there"}`;
    case "organization.subdomain.verified":
      return data.method === "development"
        ? "without asking the world: the DNS provider is no real one"
        : `${text(data.quorum)} resolvers know it`;
    case "user.invited":
      return `as ${roleInWords(text(data.role))}`;
    case "organization.undo.failed":
    case "organization.undo.done":
      return [undone(data.step), data.error].filter(isText).join(": ");
    default:
      return [data.error, data.reason].find(isText) ?? null;
  }
}

/** What each role may do there: as it was granted last, and not since taken back. */
export function grantsOf(facts: readonly OrganizationFact[]): Record<string, string[]> {
  const last = facts.findLast(({ type }) => type.startsWith("organization.permissions."));
  return last?.type === "organization.permissions.granted" ? grantsIn(last.data) : {};
}

function grantsIn(data: Record<string, unknown>): Record<string, string[]> {
  const { grants } = data;
  if (typeof grants !== "object" || grants === null) return {};
  return Object.fromEntries(
    Object.entries(grants).map(([role, may]) => [role, Array.isArray(may) ? may.filter(isText) : []]),
  );
}

function undone(step: unknown): string {
  return (undoWords as Record<string, string>)[text(step)] ?? text(step);
}

function text(value: unknown): string {
  return isText(value) ? value : "";
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
