import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { answered, client } from "@/kit/client";
import { listing, reads, type Documents } from "@/kit/shapes";

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
  q?: string;
  email?: string;
  externalId?: string;
}

async function ask(asked: Asked): Promise<FoundPerson[]> {
  const query = { ...asked, limit: SHOWN };
  return peopleSchema.parse(await answered(client.GET("/v1/people", { params: { query } }))).data;
}

async function findPeople(text: string): Promise<FoundPerson[]> {
  if (text === "") return ask({});
  if (text.includes("@")) return ask({ email: text });
  const found = await Promise.all([ask({ q: text }), ask({ externalId: text })]);
  return [...new Map(found.flat().map((person) => [person.id, person])).values()];
}

/** People whose name begins like this, or whose e-mail address or external id it is; the newest where nothing is said. */
export function useFoundPeople(text: string) {
  const wanted = text.trim();
  return useQuery({
    queryKey: ["people", "found", wanted],
    queryFn: () => findPeople(wanted),
    placeholderData: keepPreviousData,
  });
}
