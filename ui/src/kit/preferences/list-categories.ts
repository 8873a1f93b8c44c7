import { useQuery } from "@tanstack/react-query";
import { answered, client } from "@/kit/client";
import { categoriesSchema, type Category } from "@/kit/preferences/schemas";
import { given } from "@/kit/shapes";

async function listCategories(): Promise<Category[]> {
  const all: Category[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { ...given({ cursor }), limit: 100 };
    const page = categoriesSchema.parse(await answered(client.GET("/v1/categories", { params: { query } })));
    all.push(...page.data);
    if (page.pagination.nextCursor === null) return all;
    cursor = page.pagination.nextCursor;
  }
}

export const categoriesKey = ["categories"] as const;

/** All categories of the tenant; there are few. */
export function useCategories() {
  return useQuery({ queryKey: categoriesKey, queryFn: listCategories });
}
