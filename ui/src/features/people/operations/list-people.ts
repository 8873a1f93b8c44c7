import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { peopleKeys } from "@/features/people/keys";
import { peopleSchema, type Person } from "@/features/people/schemas";
import type { PeopleFilter } from "@/features/people/searches";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

const MAILBOX = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

async function listPeople({ q, ...rest }: PeopleFilter): Promise<Page<Person>> {
  const query = given({ ...rest, ...(q !== undefined && MAILBOX.test(q) ? { email: q } : { q }) });
  return peopleSchema.parse(await answered(client.GET("/v1/people", { params: { query } })));
}

export function usePeople(filter: PeopleFilter) {
  return useQuery({
    queryKey: peopleKeys.list(filter),
    queryFn: () => listPeople(filter),
    placeholderData: keepPreviousData,
  });
}
