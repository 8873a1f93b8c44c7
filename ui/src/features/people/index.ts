import { IconUsers } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import {
  groupsSearchSchema,
  importsSearchSchema,
  peopleSearchSchema,
  suppressionsSearchSchema,
} from "@/features/people/searches";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const peopleRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/settings/people",
    validateSearch: peopleSearchSchema,
    component: lazyPage(() => import("@/features/people/pages/PeoplePage"), "PeoplePage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/settings/groups",
    validateSearch: groupsSearchSchema,
    component: lazyPage(() => import("@/features/people/pages/GroupsPage"), "GroupsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/settings/imports",
    validateSearch: importsSearchSchema,
    component: lazyPage(() => import("@/features/people/pages/ImportsPage"), "ImportsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/settings/suppressions",
    validateSearch: suppressionsSearchSchema,
    component: lazyPage(() => import("@/features/people/pages/SuppressionsPage"), "SuppressionsPage"),
  }),
] as const;

export const peopleLinks: readonly PageLink[] = [
  {
    to: "/settings/people",
    label: "People",
    icon: IconUsers,
    section: "settings",
    also: ["/settings/groups", "/settings/imports", "/settings/suppressions"],
    keywords: "person persons recipients addresses groups imports csv suppressions topics",
    forAdmins: true,
  },
];
