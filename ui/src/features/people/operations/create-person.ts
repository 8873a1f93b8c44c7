import { useMutation, useQueryClient } from "@tanstack/react-query";
import { peopleKeys } from "@/features/people/keys";
import { personSchema, type Person } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";
import { sent } from "@/kit/shapes";
import { tellDone } from "@/kit/tell";

/** What is empty is left out. */
export interface NewPerson {
  name: string;
  externalId: string;
  userType: string;
  email: string;
  phone: string;
  locale: string;
  timezone: string;
}

async function createPerson(wanted: NewPerson): Promise<Person> {
  const filled = Object.entries<string>({ ...wanted }).filter(([, value]) => value.trim() !== "");
  const body = sent(Object.fromEntries(filled.map(([name, value]) => [name, value.trim()])));
  return personSchema.parse(await answered(client.POST("/v1/people", { body }))).data;
}

/** What is refused is for the form to show. */
export function useCreatePerson() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: createPerson,
    onSuccess: (person) => {
      queries.setQueryData(peopleKeys.one(person.id), person);
      tellDone(`${person.name} can be told from now on.`);
      return queries.invalidateQueries({ queryKey: peopleKeys.all });
    },
  });
}
