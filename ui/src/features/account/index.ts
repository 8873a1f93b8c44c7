import { IconAdjustments } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const accountRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/settings/me",
    component: lazyPage(() => import("@/features/account/pages/AccountPage"), "AccountPage"),
  }),
] as const;

export const accountLinks: readonly PageLink[] = [
  {
    to: "/settings/me",
    label: "My preferences",
    icon: IconAdjustments,
    section: "settings",
    keywords: "account profile password quiet hours language timezone unsubscribe",
  },
];
