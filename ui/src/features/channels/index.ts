import { IconPlugConnected } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { newProviderSearchSchema } from "@/features/channels/schemas";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const channelsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/channels",
    component: lazyPage(() => import("@/features/channels/pages/ChannelsPage"), "ChannelsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/channels/new",
    validateSearch: newProviderSearchSchema,
    component: lazyPage(() => import("@/features/channels/pages/NewProviderPage"), "NewProviderPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/channels/$id",
    component: lazyPage(() => import("@/features/channels/pages/ProviderPage"), "ProviderPage"),
  }),
] as const;

export const channelsLinks: readonly PageLink[] = [
  {
    to: "/channels",
    label: "Channels",
    icon: IconPlugConnected,
    section: "set up",
    keywords: "providers smtp resend twilio slack push webhook credentials circuit test mail server",
    forAdmins: true,
  },
];
