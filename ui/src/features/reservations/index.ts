import { IconToolsKitchen2 } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import {
  channelsSearchSchema,
  placesSearchSchema,
  reservationsSearchSchema,
} from "@/features/reservations/searches";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const reservationsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/reservations",
    validateSearch: reservationsSearchSchema,
    component: lazyPage(() => import("@/features/reservations/pages/ReservationsPage"), "ReservationsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/reservations/new",
    component: lazyPage(
      () => import("@/features/reservations/pages/NewReservationPage"),
      "NewReservationPage",
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/reservations/restaurants",
    validateSearch: placesSearchSchema,
    component: lazyPage(() => import("@/features/reservations/pages/RestaurantsPage"), "RestaurantsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/reservations/agencies",
    validateSearch: placesSearchSchema,
    component: lazyPage(() => import("@/features/reservations/pages/AgenciesPage"), "AgenciesPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/reservations/channels",
    validateSearch: channelsSearchSchema,
    component: lazyPage(() => import("@/features/reservations/pages/UsualChannelsPage"), "UsualChannelsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/reservations/$id",
    component: lazyPage(() => import("@/features/reservations/pages/ReservationPage"), "ReservationPage"),
  }),
] as const;

export const reservationsLinks: readonly PageLink[] = [
  {
    to: "/reservations",
    label: "Reservations",
    icon: IconToolsKitchen2,
    section: "work",
    keywords: "tables restaurants agencies usual channels customers bookings guests requests confirm",
  },
];
