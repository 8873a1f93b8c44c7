import { createRootRouteWithContext, createRoute } from "@tanstack/react-router";
import type { QueryClient } from "@tanstack/react-query";
import type { Icon } from "@tabler/icons-react";

/** Every page hangs on one of these two; the shell gives them their components. */
export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()();
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: "shell" });

/** Where a page is found in the navigation and in the palette. */
export interface PageLink {
  to: string;
  /** Other addresses at which one is there, too. */
  also?: readonly string[];
  label: string;
  icon: Icon;
  section: "watch" | "work" | "set up" | "settings";
  /** Other words somebody may look for it by. */
  keywords: string;
  /** Whether members have no business there. */
  forAdmins?: true;
}
