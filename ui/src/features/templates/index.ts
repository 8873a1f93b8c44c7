import type { PageLink } from "@/kit/routing";

export const templatesRoutes = [] as const;
export const templatesLinks: readonly PageLink[] = [];
