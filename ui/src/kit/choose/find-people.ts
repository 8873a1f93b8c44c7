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

async function findPeople(q: string | undefined): Promise<FoundPerson[]> {
  const query = { ...given({ q }), limit: 50 };
  return peopleSchema.parse(await answered(client.GET("/v1/people", { params: { query } }))).data;
}

/** People whose name begins like this; the newest where nothing is said. */
export function useFoundPeople(q: string) {
  const wanted = q.trim() === "" ? undefined : q.trim();
  return useQuery({
    queryKey: ["people", "found", wanted ?? null],
    queryFn: () => findPeople(wanted),
    placeholderData: keepPreviousData,
  });
}
