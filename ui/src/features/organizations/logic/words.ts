import type { InvitedRole, Invitation, OrganizationType, Step, Undo } from "@/features/organizations/schemas";
import type { Status } from "@/features/organizations/searches";
import type { Meaning } from "@/kit/theme";

export const statusWords: Record<Status, string> = {
  initiated: "asked for",
  running: "being taken on",
  compensating: "being undone",
  completed: "active",
  failed: "failed",
  cancelled: "cancelled",
};

export const statusMeans: Record<Status, Meaning> = {
  initiated: "waiting",
  running: "busy",
  compensating: "warning",
  completed: "good",
  failed: "bad",
  cancelled: "waiting",
};

/** Whether it is still on its way, forward or back. */
export function isOpen(status: Status): boolean {
  return status === "initiated" || status === "running" || status === "compensating";
}

/** Whether it goes back, or has gone. */
export function isTurned(status: Status): boolean {
  return status === "compensating" || status === "failed" || status === "cancelled";
}

export const typeWords: Record<OrganizationType, string> = { provider: "Provider", partner: "Partner" };

export const roleWords: Record<InvitedRole, string> = {
  provider_admin: "provider admin",
  partner_admin: "partner admin",
  member: "member",
};

/** A role as one says it; of one that an operator has added, its name. */
export function roleInWords(role: string): string {
  return (roleWords as Record<string, string>)[role] ?? role.replaceAll("_", " ");
}

export const stepWords: Record<Step, readonly [title: string, about: string]> = {
  createOrganization: ["Create it", "Its place in the tree, inactive for now"],
  grantPermissions: ["Grant permissions", "What each role may do there"],
  configureDns: ["Set up its domain", "A DNS record that leads to the app"],
  waitForPropagation: ["Wait for DNS", "Until resolvers can have heard of the record"],
  verifyDns: ["Verify the domain", "Several resolvers are asked; most must know it"],
  generateInvitations: ["Make the invitations", "A link for each person, good for a while"],
  sendInvitations: ["Mail the invitations", "Each mail on its own: one that fails holds up none"],
  complete: ["Activate it", "From here on invitations can be accepted"],
};

export const undoWords: Record<Undo, string> = {
  revokeInvitations: "revoke its invitations",
  removeDns: "remove its DNS record",
  revokePermissions: "revoke its permissions",
  deactivateOrganization: "deactivate it",
};

type InvitationStatus = Invitation["status"];
type MailStatus = Invitation["mailStatus"];

export const invitationMeans: Record<InvitationStatus, Meaning> = {
  pending: "busy",
  accepted: "good",
  revoked: "waiting",
  expired: "warning",
};

export const mailWords: Record<MailStatus, readonly [string, Meaning]> = {
  none: ["no mail yet", "waiting"],
  requested: ["mail on its way", "busy"],
  sent: ["mail sent", "good"],
  failed: ["mail failed", "bad"],
};
