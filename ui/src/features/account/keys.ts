/** Of the people of the tenant, oneself: what is said of people makes it stale. */
export const accountKeys = {
  me: ["people", "me"] as const,
  preferences: ["people", "me", "preferences"] as const,
  password: ["session", "password"] as const,
};
