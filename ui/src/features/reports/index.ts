import { IconReportAnalytics } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { scheduleSearchSchema, schedulesSearchSchema } from "@/features/reports/searches";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const reportsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/reports",
    validateSearch: schedulesSearchSchema,
    component: lazyPage(() => import("@/features/reports/pages/ScheduleListPage"), "ScheduleListPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/reports/new",
    component: lazyPage(() => import("@/features/reports/pages/ScheduleCreatePage"), "ScheduleCreatePage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/reports/$id",
    validateSearch: scheduleSearchSchema,
    component: lazyPage(() => import("@/features/reports/pages/ScheduleDetailPage"), "ScheduleDetailPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/reports/$id/edit",
    component: lazyPage(() => import("@/features/reports/pages/ScheduleEditPage"), "ScheduleEditPage"),
  }),
] as const;

export const reportsLinks: readonly PageLink[] = [
  {
    to: "/reports",
    label: "Reports",
    icon: IconReportAnalytics,
    section: "work",
    keywords: "schedules recurring summary dashboard cadence cron mail csv runs recipients",
  },
];
