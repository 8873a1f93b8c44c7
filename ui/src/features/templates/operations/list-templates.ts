import { useQuery } from "@tanstack/react-query";
import { templatesKeys } from "@/features/templates/keys";
import { templatesSchema, type Template } from "@/features/templates/schemas";
import { answered, client } from "@/kit/client";
import { given } from "@/kit/shapes";

const MOST_PAGES = 10;

/** All of them, page by page: they are shown as a whole. */
async function listTemplates(): Promise<Template[]> {
  const found: Template[] = [];
  let cursor: string | undefined;
  for (let n = 0; n < MOST_PAGES; n += 1) {
    const params = { query: { ...given({ cursor }), limit: 100 } };
    const page = templatesSchema.parse(await answered(client.GET("/v1/templates", { params })));
    found.push(...page.data);
    if (page.pagination.nextCursor === null) break;
    cursor = page.pagination.nextCursor;
  }
  return found;
}

export function useTemplates() {
  return useQuery({ queryKey: templatesKeys.list(), queryFn: listTemplates });
}
