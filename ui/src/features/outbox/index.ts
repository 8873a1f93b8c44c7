import { IconChecklist } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { outboxSearchSchema } from "@/features/outbox/schemas";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const outboxRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/outbox",
    validateSearch: outboxSearchSchema,
    component: lazyPage(() => import("@/features/outbox/pages/OutboxPage"), "OutboxPage"),
  }),
] as const;

export const outboxLinks: readonly PageLink[] = [
  {
    to: "/outbox",
    label: "Outbox",
    icon: IconChecklist,
    section: "work",
    keywords: "intents scheduled retry dead letters redrive queue",
  },
];
