import { useEffect, useRef, useState } from "react";
import { z } from "zod";
import classes from "@/kit/HtmlFrame.module.css";

const heardSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("tidings.frame.ready") }),
  z.object({ type: z.literal("tidings.frame.height"), height: z.number() }),
]);

interface Props {
  html: string;
  /** What is in it, for who cannot see it. */
  title: string;
  /** Which colours its reader has, whatever ours are. */
  scheme?: "light" | "dark";
}

/** Somebody else's HTML, in a room of its own: no scripts of theirs, no cookies, as high as what is in it. */
export function HtmlFrame({ html, title, scheme = "light" }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(false);
  const [height, setHeight] = useState(160);

  useEffect(() => {
    const hear = (event: MessageEvent<unknown>) => {
      if (event.source !== frame.current?.contentWindow) return;
      const heard = heardSchema.safeParse(event.data);
      if (!heard.success) return;
      if (heard.data.type === "tidings.frame.ready") setReady(true);
      else setHeight(heard.data.height);
    };
    window.addEventListener("message", hear);
    return () => window.removeEventListener("message", hear);
  }, []);

  useEffect(() => {
    // The frame has no origin that could be named; it takes HTML from nobody but its parent.
    if (ready)
      frame.current?.contentWindow?.postMessage(
        { type: "tidings.frame.show", html: seenIn(scheme, html) },
        "*",
      );
  }, [ready, html, scheme]);

  return (
    <iframe
      ref={frame}
      className={classes.frame}
      src="/frame"
      sandbox="allow-scripts"
      title={title}
      height={height}
    />
  );
}

const ALWAYS = "(min-width: 0px)";
const NEVER = "(max-width: 0px)";

/** A document cannot be told which colours its reader has; so what it asks is answered before it is shown. */
export function seenIn(scheme: "light" | "dark", html: string): string {
  return html.replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_, asked: string) =>
    asked.toLowerCase() === scheme ? ALWAYS : NEVER,
  );
}
