import { IconPlugConnected } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { integrationsSearchSchema } from "@/features/integrations/schemas";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const integrationsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/integrations",
    validateSearch: integrationsSearchSchema,
    component: lazyPage(() => import("@/features/integrations/pages/IntegrationsPage"), "IntegrationsPage"),
  }),
] as const;

export const integrationsLinks: readonly PageLink[] = [
  {
    to: "/integrations",
    label: "My integrations",
    icon: IconPlugConnected,
    section: "settings",
    keywords: "apprise url telegram discord matrix ntfy tags own channels",
  },
];
