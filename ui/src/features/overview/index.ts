import { IconLayoutDashboard } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/",
    component: lazyPage(() => import("@/features/overview/pages/OverviewPage"), "OverviewPage"),
  }),
] as const;

export const overviewLinks: readonly PageLink[] = [
  {
    to: "/",
    label: "Overview",
    icon: IconLayoutDashboard,
    section: "watch",
    keywords: "home dashboard lag health",
  },
];
