import type { Documents } from "@/kit/shapes";

export type Scope = Documents["NewKeyBody"]["scopes"][number];

interface Subject {
  name: string;
  about: string;
  read?: Scope;
  write?: Scope;
}

/** What a key may be let do, by what it is about. */
export const subjects: readonly Subject[] = [
  { name: "Facts", about: "what happened", read: "facts:read", write: "facts:write" },
  { name: "Outbox", about: "what must happen", read: "outbox:read", write: "outbox:write" },
  { name: "Notices", about: "what was said, and deliveries", read: "notices:read", write: "notices:write" },
  { name: "Rules", about: "rules and templates", read: "rules:read", write: "rules:write" },
  { name: "People", about: "people, groups, categories", read: "people:read", write: "people:write" },
  { name: "Providers", about: "what sends", read: "providers:read", write: "providers:write" },
  { name: "Users", about: "who may sign in", read: "users:read", write: "users:write" },
  { name: "Events", about: "events, and your integrations", read: "events:read", write: "events:write" },
  {
    name: "Reservations",
    about: "reservations, restaurants, agencies",
    read: "reservations:read",
    write: "reservations:write",
  },
  {
    name: "Organisations",
    about: "organisations, and who is invited",
    read: "organizations:read",
    write: "organizations:write",
  },
  { name: "Reports", about: "reports that recur", read: "reports:read", write: "reports:write" },
  { name: "Keys", about: "making and revoking keys", write: "keys:write" },
  { name: "Inbox", about: "your own notifications", write: "inbox" },
];

const all = subjects.flatMap(({ read, write }) => [read, write]).filter((scope) => scope !== undefined);

/** What one wants most often. */
export const bundles: readonly { name: string; scopes: readonly Scope[] }[] = [
  { name: "Emit facts", scopes: ["facts:write"] },
  { name: "Read all", scopes: all.filter((scope) => scope.endsWith(":read")) },
  { name: "Everything", scopes: all },
];

export function sameScopes(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope));
}

/** "emit facts", "everything", or the first few by name. */
export function scopesInWords(scopes: readonly string[]): string {
  const bundle = bundles.find((known) => sameScopes(known.scopes, scopes));
  if (bundle !== undefined && bundle.scopes.length > 1) return bundle.name;
  const [first = "", second, ...others] = scopes;
  if (second === undefined) return first;
  return others.length === 0 ? `${first}, ${second}` : `${first}, ${second} and ${others.length} more`;
}
