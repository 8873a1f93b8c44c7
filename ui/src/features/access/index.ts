import { IconKey } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { accessSearchSchema } from "@/features/access/schemas";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const accessRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/settings/keys",
    validateSearch: accessSearchSchema,
    component: lazyPage(() => import("@/features/access/pages/KeysPage"), "KeysPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/settings/users",
    validateSearch: accessSearchSchema,
    component: lazyPage(() => import("@/features/access/pages/UsersPage"), "UsersPage"),
  }),
] as const;

export const accessLinks: readonly PageLink[] = [
  {
    to: "/settings/keys",
    also: ["/settings/users"],
    label: "Keys and users",
    icon: IconKey,
    section: "settings",
    keywords: "api keys tokens secrets users roles invite sign-in link access admins",
    forAdmins: true,
  },
];
