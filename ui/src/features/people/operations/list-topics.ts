import { useQuery } from "@tanstack/react-query";
import { peopleKeys } from "@/features/people/keys";
import { topicsSchema } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";
import { given } from "@/kit/shapes";

/** All of them, page after page: a person has few. */
async function listTopics(id: string): Promise<string[]> {
  const all: string[] = [];
  for (let cursor: string | undefined; ;) {
    const params = { path: { id }, query: { ...given({ cursor }), limit: 100 } };
    const page = topicsSchema.parse(await answered(client.GET("/v1/people/{id}/topics", { params })));
    all.push(...page.data.map(({ topic }) => topic));
    if (page.pagination.nextCursor === null) return all;
    cursor = page.pagination.nextCursor;
  }
}

export function useTopics(personId: string) {
  return useQuery({ queryKey: peopleKeys.topics(personId), queryFn: () => listTopics(personId) });
}
