import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, Outlet } from "@tanstack/react-router";
import { z } from "zod";
import { Broken } from "@/app/Broken";
import { doors, routes } from "@/app/features";
import { NotFound } from "@/app/NotFound";
import { Shell } from "@/app/Shell";
import { Loading } from "@/kit/states/Loading";
import { rootRoute, shellRoute } from "@/kit/routing";
import { SignInPage } from "@/session/SignInPage";

rootRoute.update({ component: Outlet, notFoundComponent: NotFound, errorComponent: Broken });
shellRoute.update({ component: Shell });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: z.object({
    token: z.string().optional(),
    to: z
      .string()
      .regex(/^\/(?!\/)/)
      .optional()
      .catch(undefined),
  }),
  component: SignInPage,
});

const elsewhereRoute = createRoute({ getParentRoute: () => shellRoute, path: "$", component: NotFound });

const tree = rootRoute.addChildren([
  signInRoute,
  ...doors,
  shellRoute.addChildren([...routes, elsewhereRoute]),
]);

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: "intent",
    defaultPendingComponent: Loading,
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
