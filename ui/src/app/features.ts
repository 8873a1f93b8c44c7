import { accessLinks, accessRoutes } from "@/features/access";
import { accountLinks, accountRoutes } from "@/features/account";
import { activityLinks, activityRoutes } from "@/features/activity";
import { categoriesLinks, categoriesRoutes } from "@/features/categories";
import { channelsLinks, channelsRoutes } from "@/features/channels";
import { eventsLinks, eventsRoutes } from "@/features/events";
import { forecastLinks, forecastRoutes } from "@/features/forecast";
import { inboxLinks, inboxRoutes } from "@/features/inbox";
import { integrationsLinks, integrationsRoutes } from "@/features/integrations";
import { organizationsDoors, organizationsLinks, organizationsRoutes } from "@/features/organizations";
import { outboxLinks, outboxRoutes } from "@/features/outbox";
import { overviewLinks, overviewRoutes } from "@/features/overview";
import { peopleLinks, peopleRoutes } from "@/features/people";
import { reportsLinks, reportsRoutes } from "@/features/reports";
import { reservationsLinks, reservationsRoutes } from "@/features/reservations";
import { rulesLinks, rulesRoutes } from "@/features/rules";
import { sandboxLinks, sandboxRoutes } from "@/features/sandbox";
import { templatesLinks, templatesRoutes } from "@/features/templates";
import type { PageLink } from "@/kit/routing";
import { useMay } from "@/session/session";

/** Every feature of the house, in the order of the navigation. A module adds its two lines here. */
export const routes = [
  ...overviewRoutes,
  ...activityRoutes,
  ...forecastRoutes,
  ...sandboxRoutes,
  ...inboxRoutes,
  ...eventsRoutes,
  ...reservationsRoutes,
  ...organizationsRoutes,
  ...reportsRoutes,
  ...outboxRoutes,
  ...rulesRoutes,
  ...templatesRoutes,
  ...channelsRoutes,
  ...peopleRoutes,
  ...categoriesRoutes,
  ...integrationsRoutes,
  ...accessRoutes,
  ...accountRoutes,
] as const;
/** Pages before the house, for those who are not signed in yet. */
export const doors = [...organizationsDoors] as const;
const links: readonly PageLink[] = [
  ...overviewLinks,
  ...activityLinks,
  ...forecastLinks,
  ...sandboxLinks,
  ...inboxLinks,
  ...eventsLinks,
  ...reservationsLinks,
  ...organizationsLinks,
  ...reportsLinks,
  ...outboxLinks,
  ...rulesLinks,
  ...templatesLinks,
  ...channelsLinks,
  ...peopleLinks,
  ...categoriesLinks,
  ...integrationsLinks,
  ...accessLinks,
  ...accountLinks,
];

/** The pages that are of use to who is signed in. */
export function useLinks(): readonly PageLink[] {
  const admin = useMay("admin");
  return admin ? links : links.filter((link) => link.forAdmins !== true);
}
