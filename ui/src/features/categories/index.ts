import { IconTags } from "@tabler/icons-react";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { categoriesSearchSchema } from "@/features/categories/schemas";
import { shellRoute, type PageLink } from "@/kit/routing";

export const categoriesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/settings/categories",
    validateSearch: categoriesSearchSchema,
    component: lazyRouteComponent(
      () => import("@/features/categories/pages/CategoriesPage"),
      "CategoriesPage",
    ),
  }),
] as const;

export const categoriesLinks: readonly PageLink[] = [
  {
    to: "/settings/categories",
    label: "Categories",
    icon: IconTags,
    section: "settings",
    keywords: "topics mandatory required opt out turn off",
  },
];
