export const providersKeys = {
  all: ["providers"] as const,
  list: () => [...providersKeys.all, "list"] as const,
  detail: (id: string) => [...providersKeys.all, "detail", id] as const,
  types: () => ["provider-types"] as const,
};
