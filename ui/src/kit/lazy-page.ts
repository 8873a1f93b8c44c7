import { lazyRouteComponent } from "@tanstack/react-router";

const PAUSE = 1_000;

/**
 * A page that is loaded when it is visited. Where the server is away, it waits for it; the router, which would reload
 * what cannot be loaded, then only does so for pages that a newer version no longer has.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(async () => (await answers(), load())), name);

async function answers(): Promise<void> {
  for (;;) {
    try {
      await fetch("/healthz");
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}
