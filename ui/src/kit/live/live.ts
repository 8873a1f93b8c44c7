import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createContext, use, useEffect, useSyncExternalStore } from "react";
import { z } from "zod";
import { LiveSocket, type LiveMessage, type LiveState } from "@/kit/live/socket";

export const LiveContext = createContext<LiveSocket | null>(null);

/** What facts and sends change. Other resources are named by the server when they change. */
const MOVING = ["overview", "facts", "notices", "deliveries", "outbox", "sandbox", "forecast"];
const BREATH = 2_000;
/** What happens in one's inbox is seen at once; what one transaction changed comes one by one. */
const INBOX = ["notification", "updated", "changed"];
const BLINK = 50;
/** What says who is signed in: as somebody, or in a role, that they were not before. */
const IDENTIFYING = ["people", "users"];

const staleSchema = z.object({ resources: z.array(z.string()) });

export function useLive(): LiveSocket {
  const live = use(LiveContext);
  if (live === null) throw new Error("no live socket above this component");
  return live;
}

export function useLiveState(): LiveState {
  const live = useLive();
  return useSyncExternalStore(
    (changed) => live.onState(changed),
    () => live.state,
  );
}

/** Calls `heard` for each message of one type, parsed. */
export function useLiveMessage<T extends z.ZodType>(
  type: string,
  schema: T,
  heard: (message: z.infer<T>) => void,
): void {
  const live = useLive();
  useEffect(
    () =>
      live.onMessage((message) => {
        if (message.type === type) heard(schema.parse(message));
      }),
    [live, type, schema, heard],
  );
}

/** Has every page that is open ask again for what has changed, at most once in a breath. */
export function useFreshness(): void {
  const queries = useQueryClient();
  const live = useLive();
  useEffect(() => keepFresh(live, queries), [live, queries]);
}

function keepFresh(live: LiveSocket, queries: QueryClient): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let reading: ReturnType<typeof setTimeout> | undefined;
  const stale = new Set<string>();

  const refresh = () => {
    waiting = undefined;
    if (IDENTIFYING.some((resource) => stale.has(resource))) stale.add("session");
    for (const resource of stale) void queries.invalidateQueries({ queryKey: [resource] });
    stale.clear();
  };
  const readInbox = () => {
    reading = undefined;
    void queries.invalidateQueries({ queryKey: ["inbox"] });
  };
  const mark = (resources: readonly string[]) => {
    for (const resource of resources) stale.add(resource);
    waiting ??= setTimeout(refresh, BREATH);
  };

  let greeted = false;
  const silence = live.onMessage((message) => {
    const again = message.type === "ready" && greeted;
    greeted ||= message.type === "ready";
    if (again || message.type === "resync") void queries.invalidateQueries();
    else if (INBOX.includes(message.type)) reading ??= setTimeout(readInbox, BLINK);
    else if (message.type === "stale") mark(staleSchema.parse(message).resources);
    else if (message.type === "pulse" && moved(message)) mark(MOVING);
  });
  return () => {
    clearTimeout(waiting);
    clearTimeout(reading);
    silence();
  };
}

function moved(pulse: LiveMessage): boolean {
  return ["facts", "sent", "skipped", "failed", "dead"].some((name) => Number(pulse[name]) > 0);
}

/** How much one has not read, as the socket last told it. */
export function useUnread(): number {
  const live = useLive();
  return useSyncExternalStore(
    (changed) => live.onMessage(changed),
    () => live.unread,
  );
}
