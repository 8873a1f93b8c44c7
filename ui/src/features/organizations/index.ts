import { IconBuildingCommunity } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { acceptSearchSchema, organizationsSearchSchema } from "@/features/organizations/searches";
import { lazyPage } from "@/kit/lazy-page";
import { rootRoute, shellRoute, type PageLink } from "@/kit/routing";

export const organizationsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/organizations",
    validateSearch: organizationsSearchSchema,
    component: lazyPage(
      () => import("@/features/organizations/pages/OrganizationsPage"),
      "OrganizationsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/organizations/bootstrap",
    component: lazyPage(() => import("@/features/organizations/pages/BootstrapPage"), "BootstrapPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/organizations/bootstrap/$id/status",
    component: lazyPage(
      () => import("@/features/organizations/pages/BootstrapStatusPage"),
      "BootstrapStatusPage",
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/organizations/$id",
    component: lazyPage(() => import("@/features/organizations/pages/OrganizationPage"), "OrganizationPage"),
  }),
] as const;

/** For those who are not signed in yet. */
export const organizationsDoors = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/auth/accept-invitation",
    validateSearch: acceptSearchSchema,
    component: lazyPage(
      () => import("@/features/organizations/pages/AcceptInvitationPage"),
      "AcceptInvitationPage",
    ),
  }),
] as const;

export const organizationsLinks: readonly PageLink[] = [
  {
    to: "/organizations",
    label: "Organisations",
    icon: IconBuildingCommunity,
    section: "work",
    keywords: "organizations tenants partners providers bootstrap onboarding subdomains dns invitations tree",
  },
];
