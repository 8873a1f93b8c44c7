import { useEffect, useState, type ReactNode } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { LiveContext, useFreshness, useLiveState } from "@/kit/live/live";
import { LiveSocket } from "@/kit/live/socket";
import { sessionKey } from "@/session/session";

function makeSocket(): LiveSocket {
  const url = new URL("/v1/ws", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new LiveSocket(url.href, ["pulse"]);
}

export function LiveProvider({ children }: { children: ReactNode }) {
  const [live] = useState(makeSocket);
  useEffect(() => {
    live.open();
    return () => live.close();
  }, [live]);
  return (
    <LiveContext value={live}>
      <Fresh />
      {children}
    </LiveContext>
  );
}

/** Who is turned away asks who they are: signed out, they are led to the door; moved to another tenant, to its house. */
function Fresh() {
  useFreshness();
  const state = useLiveState();
  const queries = useQueryClient();
  useEffect(() => {
    if (state === "refused") void queries.resetQueries({ queryKey: sessionKey });
  }, [state, queries]);
  return null;
}
