import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, Outlet } from "@tanstack/react-router";
import { z } from "zod";
import { Broken } from "@/app/Broken";
import { routes } from "@/app/features";
import { NotFound } from "@/app/NotFound";
import { Shell } from "@/app/Shell";
import { rootRoute, shellRoute } from "@/kit/routing";
import { SignInPage } from "@/session/SignInPage";

rootRoute.update({ component: Outlet, notFoundComponent: NotFound, errorComponent: Broken });
shellRoute.update({ component: Shell });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: z.object({ token: z.string().optional(), to: z.string().startsWith("/").optional() }),
  component: SignInPage,
});

const tree = rootRoute.addChildren([signInRoute, shellRoute.addChildren([...routes])]);

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: "intent",
    defaultErrorComponent: Broken,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
