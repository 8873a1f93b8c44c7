import { useInfiniteQuery } from "@tanstack/react-query";
import { templatesKeys } from "@/features/templates/keys";
import { templatesSchema, type Template, type TemplateKey } from "@/features/templates/schemas";
import { answered, client } from "@/kit/client";
import { isStatus } from "@/kit/problem";
import { given, type Page } from "@/kit/shapes";

const none: Page<Template> = { data: [], pagination: { nextCursor: null, hasMore: false } };

async function listVersions(key: TemplateKey, cursor: string | undefined): Promise<Page<Template>> {
  const { name, channel, locale } = key;
  const query = given({ locale: locale === "" ? undefined : locale, cursor });
  const params = { path: { name, channel }, query };
  try {
    return templatesSchema.parse(
      await answered(client.GET("/v1/templates/{name}/{channel}/versions", { params })),
    );
  } catch (error) {
    if (isStatus(error, 404)) return none;
    throw error;
  }
}

/** Every version of the tenant's own; none where it never had one. */
export function useTemplateVersions(key: TemplateKey) {
  return useInfiniteQuery({
    queryKey: templatesKeys.versions(key),
    queryFn: ({ pageParam }) => listVersions(key, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.pagination.nextCursor ?? undefined,
  });
}
