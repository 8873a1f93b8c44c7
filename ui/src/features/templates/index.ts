import { IconTemplate } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { templateParamsSchema, templateSearchSchema } from "@/features/templates/schemas";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const templatesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/templates",
    component: lazyPage(() => import("@/features/templates/pages/TemplatesPage"), "TemplatesPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/templates/$name/$channel",
    params: { parse: (params) => templateParamsSchema.parse(params) },
    validateSearch: templateSearchSchema,
    component: lazyPage(() => import("@/features/templates/pages/TemplatePage"), "TemplatePage"),
  }),
] as const;

export const templatesLinks: readonly PageLink[] = [
  {
    to: "/templates",
    label: "Templates",
    icon: IconTemplate,
    section: "set up",
    keywords: "mail look mjml jinja preview language version",
    forAdmins: true,
  },
];
