import { useEffect, useRef, type RefObject } from "react";

/** Whoever sends what cannot be sent finds themselves at the first field that is wrong: at each try, and when refused. */
export function useFirstFault(tries: number, refused: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [tries, refused]);
  return form;
}
