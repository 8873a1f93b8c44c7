import { IconMailOpened } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { sandboxSearchSchema } from "@/features/sandbox/schemas";
import { lazyPage } from "@/kit/lazy-page";
import { shellRoute, type PageLink } from "@/kit/routing";

export const sandboxRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/sandbox",
    validateSearch: sandboxSearchSchema,
    component: lazyPage(() => import("@/features/sandbox/pages/SandboxPage"), "SandboxPage"),
  }),
] as const;

export const sandboxLinks: readonly PageLink[] = [
  {
    to: "/sandbox",
    label: "Sandbox",
    icon: IconMailOpened,
    section: "watch",
    keywords: "messages kept mail preview as it would have looked test",
    forAdmins: true,
  },
];
