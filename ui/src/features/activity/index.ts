import { IconActivity } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import {
  deliveriesSearchSchema,
  factsSearchSchema,
  noticesSearchSchema,
  traceSearchSchema,
  whySearchSchema,
} from "@/features/activity/addresses";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const activityRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/activity",
    validateSearch: factsSearchSchema,
    component: lazyPage(() => import("@/features/activity/pages/FactsPage"), "FactsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/activity/deliveries",
    validateSearch: deliveriesSearchSchema,
    component: lazyPage(() => import("@/features/activity/pages/DeliveriesPage"), "DeliveriesPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/activity/notices",
    validateSearch: noticesSearchSchema,
    component: lazyPage(() => import("@/features/activity/pages/NoticesPage"), "NoticesPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/activity/why",
    validateSearch: whySearchSchema,
    component: lazyPage(() => import("@/features/activity/pages/WhyPage"), "WhyPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/activity/$factId",
    validateSearch: traceSearchSchema,
    component: lazyPage(() => import("@/features/activity/pages/TracePage"), "TracePage"),
  }),
] as const;

export const activityLinks: readonly PageLink[] = [
  {
    to: "/activity",
    label: "Activity",
    icon: IconActivity,
    section: "watch",
    keywords: "facts deliveries notices trace why failed retry search",
  },
];
