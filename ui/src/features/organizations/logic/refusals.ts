import { isStatus, Problem } from "@/kit/problem";

/** Why an invitation cannot be accepted. */
export type Refusal = "unknown" | "accepted" | "revoked" | "superseded" | "expired" | "void" | "not-ready";

const BY_SLUG: Record<string, Refusal> = {
  "invitation-accepted": "accepted",
  "invitation-revoked": "revoked",
  "invitation-superseded": "superseded",
  "invitation-expired": "expired",
  "invitation-void": "void",
  "organization-not-ready": "not-ready",
};

/** Null for what says nothing about the invitation: nobody answered, say. What cannot be a token is none of ours. */
export function refusalIn(error: unknown): Refusal | null {
  if (isStatus(error, 404) || isStatus(error, 422)) return "unknown";
  return error instanceof Problem ? (BY_SLUG[error.slug] ?? null) : null;
}

export const refusalWords: Record<Refusal, readonly [title: string, next: string]> = {
  unknown: [
    "This link leads nowhere",
    "Open it exactly as it stands in the mail: a program may have broken it across two lines. It works once, and only from the newest mail.",
  ],
  accepted: [
    "Accepted already",
    "This invitation was accepted before. Sign in with your e-mail address and password.",
  ],
  revoked: [
    "Taken back",
    "Whoever invited you has taken this invitation back. Ask them, if you think that this is a mistake.",
  ],
  superseded: [
    "There is a newer link",
    "You were sent another mail since. Open the link in that one; this one is void.",
  ],
  expired: [
    "This invitation has expired",
    "Ask whoever invited you to send it again: the new link is good for another while.",
  ],
  void: [
    "Nothing came of it",
    "The organisation was not taken on after all, and its invitations are void. Nothing is needed of you.",
  ],
  "not-ready": [
    "Not ready yet",
    "The organisation is still being set up, which takes some minutes. Your link stays good: try again in a while.",
  ],
};

/** Where one can go on from there. */
export const way: Record<Refusal, "sign-in" | "again" | null> = {
  unknown: null,
  accepted: "sign-in",
  revoked: null,
  superseded: null,
  expired: null,
  void: null,
  "not-ready": "again",
};
