import { IconCalendarEvent } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { eventSearchSchema, eventsSearchSchema } from "@/features/events/schemas";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const eventsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/events",
    validateSearch: eventsSearchSchema,
    component: lazyPage(() => import("@/features/events/pages/EventsPage"), "EventsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/events/new",
    component: lazyPage(() => import("@/features/events/pages/NewEventPage"), "NewEventPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/events/$id",
    validateSearch: eventSearchSchema,
    component: lazyPage(() => import("@/features/events/pages/EventPage"), "EventPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/events/$id/edit",
    component: lazyPage(() => import("@/features/events/pages/EditEventPage"), "EditEventPage"),
  }),
] as const;

export const eventsLinks: readonly PageLink[] = [
  {
    to: "/events",
    label: "Events",
    icon: IconCalendarEvent,
    section: "work",
    keywords: "calendar reminders join subscribe announce organise ics feed",
  },
];
