import { z } from "zod";
import { roles, types, type InvitedRole, type OrganizationType } from "@/features/organizations/schemas";

/** Somebody who is to be invited, as they are being written; `id` tells rows apart. */
export interface UserDraft {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  role: InvitedRole;
}

/** An organisation as it is being asked for. */
export interface Draft {
  name: string;
  type: OrganizationType;
  parentId: string | null;
  contactEmail: string;
  subdomain: string;
  users: UserDraft[];
  /** A number, or what somebody has written in place of one. */
  dnsMinutes: number | string;
}

export const nobody = (id: number, role: InvitedRole): UserDraft => ({
  id,
  email: "",
  firstName: "",
  lastName: "",
  role,
});

export const EMPTY: Draft = {
  name: "",
  type: "provider",
  parentId: null,
  contactEmail: "",
  subdomain: "",
  users: [nobody(1, "provider_admin")],
  dnsMinutes: 30,
};

export const MOST_USERS = 100;
const LONGEST_NAME = 100;
const [SHORTEST_WAIT, LONGEST_WAIT] = [1, 45];
/** One `@`, something before it, and a domain with a dot: the server looks closer. */
const MAILBOX = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

const named = (asks: string) =>
  z.string().trim().min(1, asks).max(LONGEST_NAME, `At most ${LONGEST_NAME} characters.`);

const address = (asks: string) =>
  z
    .string()
    .trim()
    .min(1, asks)
    .max(254, "At most 254 characters.")
    .regex(MAILBOX, "An e-mail address, such as anna@example.com.");

export const subdomainSchema = z
  .string()
  .min(1, "Under which name is it reached?")
  .regex(/^[a-z0-9-]*$/, "Letters a to z, digits and hyphens only.")
  .min(3, "At least 3 characters.")
  .max(63, "At most 63 characters.")
  .regex(/^[^-].*[^-]$/, "It cannot begin or end with a hyphen.");

const userSchema = z.object({
  email: address("Where is the invitation sent?"),
  firstName: named("Their first name, please."),
  lastName: named("Their last name, please."),
  role: z.enum(roles),
});

const WAIT = `Minutes, from ${SHORTEST_WAIT} to ${LONGEST_WAIT}.`;

/** Field by field. What concerns several of them comes on top: see `faultsOf`. */
export const draftSchema = z.object({
  name: named("What is it called?"),
  type: z.enum(types),
  contactEmail: address("Whom does one write to?"),
  subdomain: subdomainSchema,
  users: z.array(userSchema).min(1).max(MOST_USERS),
  dnsMinutes: z.number(WAIT).int("Whole minutes, please.").min(SHORTEST_WAIT, WAIT).max(LONGEST_WAIT, WAIT),
});

/** By the API's names of its fields: `users.0.email`. */
export type Faults = Readonly<Partial<Record<string, string>>>;

const OF_API: Record<string, string> = { dnsMinutes: "dnsPropagationTimeoutSeconds" };

/** What is wrong with it, each field's first fault. */
export function faultsOf(draft: Draft): Faults {
  const checked = draftSchema.safeParse(draft);
  const found = [
    ...(checked.error?.issues ?? []).map(({ path, message }) => [path.join("."), message] as const),
    ...ofSeveral(draft),
    ...repeated(draft.users),
  ].map(([field, message]) => [OF_API[field] ?? field, message] as const);
  return Object.fromEntries(found.reverse());
}

function ofSeveral({ users, type, parentId }: Draft): (readonly [string, string])[] {
  const faults: (readonly [string, string])[] = [];
  if (!users.some(({ role }) => role === "provider_admin"))
    faults.push(["users", "At least one must be a provider admin."]);
  if (type === "partner" && parentId === null) faults.push(["parentId", "Whose partner is it?"]);
  return faults;
}

function repeated(users: readonly UserDraft[]): (readonly [string, string])[] {
  const seen = new Set<string>();
  return users.flatMap(({ email }, place) => {
    const address = email.trim().toLowerCase();
    if (address === "" || !seen.has(address)) {
      seen.add(address);
      return [];
    }
    return [[`users.${place}.email`, "Each address once."] as const];
  });
}

export interface BootstrapBody {
  name: string;
  type: OrganizationType;
  parentId: string | null;
  contactEmail: string;
  subdomain: string;
  users: Omit<UserDraft, "id">[];
  dnsPropagationTimeoutSeconds: number;
}

/** What is sent, of a draft without faults. */
export function bodyOf(draft: Draft): BootstrapBody {
  return {
    name: draft.name.trim(),
    type: draft.type,
    parentId: draft.type === "partner" ? draft.parentId : null,
    contactEmail: draft.contactEmail.trim(),
    subdomain: draft.subdomain,
    users: draft.users.map(({ email, firstName, lastName, role }) => ({
      email: email.trim(),
      firstName: firstName.trim(),
      lastName: lastName.trim(),
      role,
    })),
    dnsPropagationTimeoutSeconds: Number(draft.dnsMinutes) * 60,
  };
}

/** "Nördliche Klinik" may be reached under `nordliche-klinik`. */
export function subdomainFrom(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, "");
}
