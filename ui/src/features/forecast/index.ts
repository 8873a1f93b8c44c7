import { IconCalendarEvent } from "@tabler/icons-react";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { forecastSearchSchema } from "@/features/forecast/schemas";
import { shellRoute, type PageLink } from "@/kit/routing";

export const forecastRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/forecast",
    validateSearch: forecastSearchSchema,
    component: lazyRouteComponent(() => import("@/features/forecast/pages/ForecastPage"), "ForecastPage"),
  }),
] as const;

export const forecastLinks: readonly PageLink[] = [
  {
    to: "/forecast",
    label: "Forecast",
    icon: IconCalendarEvent,
    section: "watch",
    keywords: "calendar planned scheduled coming quiet hours delayed",
    forAdmins: true,
  },
];
