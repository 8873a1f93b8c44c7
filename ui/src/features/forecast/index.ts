import { IconCalendarEvent } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { forecastSearchSchema } from "@/features/forecast/schemas";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const forecastRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/forecast",
    validateSearch: forecastSearchSchema,
    component: lazyPage(() => import("@/features/forecast/pages/ForecastPage"), "ForecastPage"),
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
