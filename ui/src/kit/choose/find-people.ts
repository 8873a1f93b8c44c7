import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { answered, client } from "@/kit/client";
import { given, listing, reads, type Documents } from "@/kit/shapes";

const person = reads<Documents["PersonDocument"]>()(
  z.object({
    id: z.string(),
    name: z.string(),
    externalId: z.string().nullable(),
    userType: z.string().nullable(),
    email: z.string().nullable(),
    locale: z.string().nullable(),
    userId: z.string().nullable(),
  }),
);
export type FoundPerson = z.infer<typeof person>;
const peopleSchema = listing(person);
const SHOWN = 50;

interface Asked {
  userType?: string;
  q?: string;
  email?: string;
  externalId?: string;
}

async function ask(asked: Asked): Promise<FoundPerson[]> {
  const query = { ...asked, limit: SHOWN };
  return peopleSchema.parse(await answered(client.GET("/v1/people", { params: { query } }))).data;
}

async function findPeople(text: string, type: Asked): Promise<FoundPerson[]> {
  if (text === "") return ask(type);
  if (text.includes("@")) return ask({ ...type, email: text });
  const found = await Promise.all([ask({ ...type, q: text }), ask({ ...type, externalId: text })]);
  return [...new Map(found.flat().map((person) => [person.id, person])).values()];
}

/**
 * People whose name begins like this, or whose e-mail address or external id it is; the newest where nothing is said. All,
 * or those of one type.
 */
export function useFoundPeople(text: string, userType?: string) {
  const wanted = text.trim();
  return useQuery({
    queryKey: ["people", "found", wanted, userType ?? null],
    queryFn: () => findPeople(wanted, given({ userType })),
    placeholderData: keepPreviousData,
  });
}
