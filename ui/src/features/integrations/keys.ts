export const integrationsKeys = {
  all: ["integrations"] as const,
  list: (cursor?: string) => [...integrationsKeys.all, "list", cursor] as const,
  trial: (id: string, delivery: string) => [...integrationsKeys.all, id, "tests", delivery] as const,
};
