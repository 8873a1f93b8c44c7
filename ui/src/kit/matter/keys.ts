/** All that is in one's inbox: asked for again whenever the socket says that something there has changed. */
export const inboxKeys = {
  all: ["inbox"] as const,
  lists: () => [...inboxKeys.all, "list"] as const,
  list: (filter: object) => [...inboxKeys.lists(), filter] as const,
  tried: (id: string) => [...inboxKeys.all, "tried", id] as const,
};
