import { useMutation, useQueryClient } from "@tanstack/react-query";
import { peopleKeys } from "@/features/people/keys";
import { personSchema, type Person } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";
import { sent } from "@/kit/shapes";
import { tellDone } from "@/kit/tell";

export type PersonChanges = Partial<
  Pick<Person, "name" | "externalId" | "userType" | "userId" | "locale" | "timezone" | "quietHours">
>;

async function changePerson(id: string, changes: PersonChanges): Promise<Person> {
  const params = { path: { id } };
  return personSchema.parse(await answered(client.PATCH("/v1/people/{id}", { params, body: sent(changes) })))
    .data;
}

/** What is refused is for the form to show. */
export function useChangePerson(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: PersonChanges) => changePerson(id, changes),
    onSuccess: (person) => {
      queries.setQueryData(peopleKeys.one(id), person);
      tellDone("Saved.");
      return queries.invalidateQueries({ queryKey: peopleKeys.all });
    },
  });
}
