import type { ApiKey, User } from "@/features/access/schemas";

export type KeyState = "in use" | "expired" | "revoked";

export function stateOf(key: ApiKey, now = Date.now()): KeyState {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && new Date(key.expiresAt).getTime() <= now ? "expired" : "in use";
}

interface Looking {
  userId: string | null;
  operator: boolean;
}

/** Why this user cannot be managed by who looks; null where they can. */
export function whyFixed(user: User, by: Looking): string | null {
  return user.operator && !by.operator ? "Operators are managed by operators." : null;
}

/** Why this user's place cannot be taken away, or their role lowered; null where it can. `all` where none is missing. */
export function whyKept(user: User, among: readonly User[], all: boolean, by: Looking): string | null {
  const fixed = whyFixed(user, by);
  if (fixed !== null) return fixed;
  const admins = among.filter(({ role }) => role === "admin");
  if (all && user.role === "admin" && admins.length === 1)
    return "The last admin stays: make somebody else an admin first.";
  return user.id === by.userId ? "Not yourself: another admin can." : null;
}
