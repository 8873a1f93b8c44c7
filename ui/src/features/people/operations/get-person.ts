import { useQuery } from "@tanstack/react-query";
import { peopleKeys } from "@/features/people/keys";
import { personSchema, type Person } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";

async function getPerson(id: string): Promise<Person> {
  return personSchema.parse(await answered(client.GET("/v1/people/{id}", { params: { path: { id } } }))).data;
}

export function usePerson(id: string) {
  return useQuery({ queryKey: peopleKeys.one(id), queryFn: () => getPerson(id) });
}
