import { IconInbox } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { inboxSearchSchema } from "@/features/inbox/searches";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const inboxRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/inbox",
    validateSearch: inboxSearchSchema,
    component: lazyPage(() => import("@/features/inbox/pages/InboxPage"), "InboxPage"),
  }),
] as const;

export const inboxLinks: readonly PageLink[] = [
  {
    to: "/inbox",
    label: "Inbox",
    icon: IconInbox,
    section: "work",
    keywords: "notifications unread messages mine act confirm handled",
  },
];
