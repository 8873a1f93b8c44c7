import { IconRoute } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { newRuleSearchSchema, ruleSearchSchema, rulesSearchSchema } from "@/features/rules/schemas";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const rulesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/rules",
    validateSearch: rulesSearchSchema,
    component: lazyPage(() => import("@/features/rules/pages/RulesPage"), "RulesPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/rules/new",
    validateSearch: newRuleSearchSchema,
    component: lazyPage(() => import("@/features/rules/pages/NewRulePage"), "NewRulePage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/rules/$id",
    validateSearch: ruleSearchSchema,
    component: lazyPage(() => import("@/features/rules/pages/RulePage"), "RulePage"),
  }),
] as const;

export const rulesLinks: readonly PageLink[] = [
  {
    to: "/rules",
    label: "Rules",
    icon: IconRoute,
    section: "set up",
    keywords: "who is told what dry run conditions audience notify",
    forAdmins: true,
  },
];
