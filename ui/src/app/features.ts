import { accessLinks, accessRoutes } from "@/features/access";
import { accountLinks, accountRoutes } from "@/features/account";
import { activityLinks, activityRoutes } from "@/features/activity";
import { categoriesLinks, categoriesRoutes } from "@/features/categories";
import { forecastLinks, forecastRoutes } from "@/features/forecast";
import { inboxLinks, inboxRoutes } from "@/features/inbox";
import { outboxLinks, outboxRoutes } from "@/features/outbox";
import { overviewLinks, overviewRoutes } from "@/features/overview";
import { peopleLinks, peopleRoutes } from "@/features/people";
import { rulesLinks, rulesRoutes } from "@/features/rules";
import { templatesLinks, templatesRoutes } from "@/features/templates";
import type { PageLink } from "@/kit/routing";

/** Every feature of the house, in the order of the navigation. A module adds its two lines here. */
export const routes = [
  ...overviewRoutes,
  ...activityRoutes,
  ...forecastRoutes,
  ...inboxRoutes,
  ...outboxRoutes,
  ...rulesRoutes,
  ...templatesRoutes,
  ...peopleRoutes,
  ...categoriesRoutes,
  ...accessRoutes,
  ...accountRoutes,
] as const;
export const links: readonly PageLink[] = [
  ...overviewLinks,
  ...activityLinks,
  ...forecastLinks,
  ...inboxLinks,
  ...outboxLinks,
  ...rulesLinks,
  ...templatesLinks,
  ...peopleLinks,
  ...categoriesLinks,
  ...accessLinks,
  ...accountLinks,
];
