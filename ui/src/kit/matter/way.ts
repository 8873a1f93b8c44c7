/** Where something is found: on a page of ours, or elsewhere. */
export type Way = { is: "page"; to: string } | { is: "elsewhere"; href: string };

/** The way that an address leads; null where it is none that a browser should follow. */
export function wayTo(address: string, origin: string): Way | null {
  if (!URL.canParse(address, origin)) return null;
  const url = new URL(address, origin);
  if (url.origin === origin) return { is: "page", to: `${url.pathname}${url.search}${url.hash}` };
  return url.protocol === "https:" || url.protocol === "http:" ? { is: "elsewhere", href: url.href } : null;
}

/** The zone, if this browser knows it; anything can be said in a notice. */
export function knownZone(zone: string | null): string | null {
  if (zone === null) return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return null;
  }
}
