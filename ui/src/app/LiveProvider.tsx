import { useEffect, useState, type ReactNode } from "react";
import { LiveContext, useFreshness } from "@/kit/live/live";
import { LiveSocket } from "@/kit/live/socket";

function makeSocket(): LiveSocket {
  const url = new URL("/v1/ws", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new LiveSocket(url.href, () => ({ type: "hello", watch: ["pulse"] }));
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

function Fresh() {
  useFreshness();
  return null;
}
