import type { OrganizationsFilter } from "@/features/organizations/searches";

/** The server names `organizations` when one of them, its permissions or its invitations change. */
export const organizationsKeys = {
  all: ["organizations"] as const,
  list: (filter: OrganizationsFilter) => [...organizationsKeys.all, "list", filter] as const,
  above: (ids: readonly string[]) => [...organizationsKeys.all, "above", ids] as const,
  below: (id: string) => [...organizationsKeys.all, "below", id] as const,
  parents: () => [...organizationsKeys.all, "parents"] as const,
  one: (id: string) => [...organizationsKeys.all, "one", id] as const,
  facts: (id: string) => [...organizationsKeys.all, "facts", id] as const,
  invitations: (id: string) => [...organizationsKeys.all, "invitations", id] as const,
  bootstrap: (id: string) => [...organizationsKeys.all, "bootstrap", id] as const,
  subdomain: (subdomain: string) => [...organizationsKeys.all, "subdomain", subdomain] as const,
  domain: () => [...organizationsKeys.all, "domain"] as const,
};

/** Of one who has no session: no token is part of a key. */
export const openedKey = ["invitation"] as const;
