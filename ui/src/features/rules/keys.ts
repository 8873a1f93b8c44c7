import type { TrialBody } from "@/features/rules/logic/draft";
import type { RulesFilter } from "@/features/rules/schemas";

export const rulesKeys = {
  all: ["rules"] as const,
  lists: () => [...rulesKeys.all, "list"] as const,
  list: (filter: RulesFilter) => [...rulesKeys.lists(), filter] as const,
  detail: (id: string) => [...rulesKeys.all, "detail", id] as const,
  versions: (id: string) => [...rulesKeys.all, "versions", id] as const,
  trial: (body: TrialBody) => [...rulesKeys.all, "dry-run", body] as const,
};
