import { IconTags } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { categoriesSearchSchema } from "@/features/categories/schemas";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const categoriesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/settings/categories",
    validateSearch: categoriesSearchSchema,
    component: lazyPage(() => import("@/features/categories/pages/CategoriesPage"), "CategoriesPage"),
  }),
] as const;

export const categoriesLinks: readonly PageLink[] = [
  {
    to: "/settings/categories",
    label: "Categories",
    icon: IconTags,
    section: "settings",
    keywords: "topics mandatory required opt out turn off",
    forAdmins: true,
  },
];
