export const accessKeys = {
  keys: ["keys"] as const,
  keyList: (cursor: string | undefined) => [...accessKeys.keys, "list", cursor ?? null] as const,
  users: ["users"] as const,
  userList: (cursor: string | undefined) => [...accessKeys.users, "list", cursor ?? null] as const,
  userNames: ["users", "names"] as const,
};
