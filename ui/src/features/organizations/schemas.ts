import { z } from "zod";
import { statusSchema } from "@/features/organizations/searches";
import { envelope, listing, reads, type Documents } from "@/kit/shapes";

export const types = ["provider", "partner"] as const;
export type OrganizationType = (typeof types)[number];

export const roles = ["provider_admin", "partner_admin", "member"] as const;
const roleSchema = z.enum(roles);
export type InvitedRole = z.infer<typeof roleSchema>;

export const steps = [
  "createOrganization",
  "grantPermissions",
  "configureDns",
  "waitForPropagation",
  "verifyDns",
  "generateInvitations",
  "sendInvitations",
  "complete",
] as const;
const stepSchema = z.enum(steps);
/** In their order. */
export type Step = z.infer<typeof stepSchema>;

const undoSchema = z.enum(["revokeInvitations", "removeDns", "revokePermissions", "deactivateOrganization"]);
/** What takes a step back. */
export type Undo = z.infer<typeof undoSchema>;

const organization = reads<Documents["OrganizationDocument"]>()(
  z.object({
    id: z.string(),
    name: z.string(),
    type: z.enum(types),
    parentId: z.string().nullable(),
    contact: z.object({ id: z.string().nullable(), name: z.string().nullable() }),
    subdomain: z.string(),
    domain: z.string(),
    path: z.string(),
    status: statusSchema,
    active: z.boolean(),
    subdomainStatus: z.enum(["reserved", "configured", "verified", "removed"]),
    stage: stepSchema.nullable(),
    error: z.string().nullable(),
    leftOver: z.array(undoSchema),
    mayManage: z.boolean(),
    createdAt: z.string(),
    closedAt: z.string().nullable(),
  }),
);
export type Organization = z.infer<typeof organization>;
export const organizationSchema = envelope(organization);
export const organizationsSchema = listing(organization);

export const availabilitySchema = envelope(
  reads<Documents["AvailabilityDocument"]>()(
    z.object({
      subdomain: z.string(),
      domain: z.string(),
      available: z.boolean(),
      reason: z.string().nullable(),
    }),
  ),
);
export type Availability = z.infer<typeof availabilitySchema>["data"];

export const acceptedSchema = envelope(
  reads<Documents["AcceptedDocument"]>()(z.object({ organizationId: z.string(), status: statusSchema })),
);

const live = z.object({
  state: z.enum(["not_started", "running", "ended", "away"]),
  reason: z.string().nullable(),
  stage: z.string().nullable(),
  waitsUntil: z.string().nullable(),
  verificationTries: z.number().nullable(),
  lastVerification: z.string().nullable(),
});

const result = z.object({
  domain: z.string(),
  dnsConfigured: z.boolean(),
  invitationsSent: z.number(),
  adminRole: z.string(),
  permissionsGranted: z.number(),
  path: z.string(),
  errors: z.array(z.string()),
});

const bootstrap = reads<Documents["BootstrapStatusDocument"]>()(
  z.object({
    organizationId: z.string(),
    name: z.string(),
    domain: z.string(),
    status: statusSchema,
    progress: z.array(z.object({ step: stepSchema, completed: z.boolean(), error: z.string().nullable() })),
    undone: z.array(undoSchema),
    stage: stepSchema.nullable(),
    error: z.string().nullable(),
    leftOver: z.array(undoSchema),
    mails: z.object({ sent: z.number(), failed: z.number(), waiting: z.number() }),
    live,
    result: result.nullable(),
    mayManage: z.boolean(),
    createdAt: z.string(),
    closedAt: z.string().nullable(),
  }),
);
/** How far it is. `live` is what its process says on top of that. */
export type Bootstrap = z.infer<typeof bootstrap>;
export const bootstrapSchema = envelope(bootstrap);

const fact = reads<Documents["OrganizationFactDocument"]>()(
  z.object({
    id: z.string(),
    version: z.number(),
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
    actor: z.string().nullable(),
    occurredAt: z.string(),
  }),
);
export type OrganizationFact = z.infer<typeof fact>;
export const factsSchema = envelope(z.array(fact));

const invitation = reads<Documents["InvitationDocument"]>()(
  z.object({
    id: z.string(),
    organizationId: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role: roleSchema,
    status: z.enum(["pending", "accepted", "revoked", "expired"]),
    issue: z.number(),
    expiresAt: z.string(),
    mailStatus: z.enum(["none", "requested", "sent", "failed"]),
    mailError: z.string().nullable(),
    createdAt: z.string(),
    acceptedAt: z.string().nullable(),
    revokedAt: z.string().nullable(),
  }),
);
export type Invitation = z.infer<typeof invitation>;
export const invitationSchema = envelope(invitation);
export const invitationsSchema = envelope(z.array(invitation));

export const openedSchema = envelope(
  reads<Documents["OpenedInvitationDocument"]>()(
    z.object({
      organization: z.string(),
      email: z.string(),
      name: z.string(),
      role: roleSchema,
      expiresAt: z.string(),
      hasLogin: z.boolean(),
      signedInAs: z.string().nullable(),
    }),
  ),
);
/** An invitation, as whoever holds its link sees it. */
export type OpenedInvitation = z.infer<typeof openedSchema>["data"];

export const joinedSchema = envelope(
  reads<Documents["AcceptedInvitationDocument"]>()(
    z.object({ organizationId: z.string(), tenant: z.string(), csrfToken: z.string().nullable() }),
  ),
);
/** What has come of accepting one. */
export type Joined = z.infer<typeof joinedSchema>["data"];
