import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { peopleKeys } from "@/features/activity/keys";
import { peopleSchema, personSchema, type Person } from "@/features/activity/schemas";
import { answered, client } from "@/kit/client";

const SHOWN = 10;

/** By how the name begins, or by the whole e-mail address or external id. */
async function findPeople(text: string): Promise<Person[]> {
  const asked = text.includes("@")
    ? [{ email: text }]
    : text === ""
      ? [{}]
      : [{ q: text }, { externalId: text }];
  const replies = await Promise.all(
    asked.map((query) =>
      answered(client.GET("/v1/people", { params: { query: { ...query, limit: SHOWN } } })),
    ),
  );
  const found = replies.flatMap((reply) => peopleSchema.parse(reply).data);
  return [...new Map(found.map((person) => [person.id, person])).values()];
}

export function useFoundPeople(text: string, enabled: boolean) {
  return useQuery({
    queryKey: peopleKeys.found(text),
    queryFn: () => findPeople(text),
    placeholderData: keepPreviousData,
    enabled,
  });
}

async function getPerson(id: string): Promise<Person> {
  return personSchema.parse(await answered(client.GET("/v1/people/{id}", { params: { path: { id } } }))).data;
}

const ID = /^[0-9a-f]{8}-/i;

export function usePerson(id: string | undefined) {
  return useQuery({
    queryKey: peopleKeys.detail(id ?? ""),
    queryFn: () => getPerson(id ?? ""),
    enabled: id !== undefined && ID.test(id),
  });
}
