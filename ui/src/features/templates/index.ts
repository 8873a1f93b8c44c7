import { IconTemplate } from "@tabler/icons-react";
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { templateParamsSchema, templateSearchSchema } from "@/features/templates/schemas";
import { shellRoute, type PageLink } from "@/kit/routing";

export const templatesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/templates",
    component: lazyRouteComponent(() => import("@/features/templates/pages/TemplatesPage"), "TemplatesPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/templates/$name/$channel",
    params: { parse: (params) => templateParamsSchema.parse(params) },
    validateSearch: templateSearchSchema,
    component: lazyRouteComponent(() => import("@/features/templates/pages/TemplatePage"), "TemplatePage"),
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
