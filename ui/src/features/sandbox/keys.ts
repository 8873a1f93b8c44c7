import type { SandboxFilter } from "@/features/sandbox/schemas";

export const sandboxKeys = {
  all: ["sandbox"] as const,
  list: (filter: SandboxFilter) => [...sandboxKeys.all, "list", filter] as const,
  /** Not under `all`: what was kept does not change when more is kept. */
  detail: (id: string) => ["sandbox-message", id] as const,
};
