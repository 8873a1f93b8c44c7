import { useQueries } from "@tanstack/react-query";
import { z } from "zod";
import { answered, client } from "@/kit/client";
import { envelope, reads, type Documents } from "@/kit/shapes";

const named = envelope(reads<Documents["PersonDocument"]>()(z.object({ name: z.string() })));

async function nameOf(id: string): Promise<string> {
  return named.parse(await answered(client.GET("/v1/people/{id}", { params: { path: { id } } }))).data.name;
}

const MOST = 50;

/** The names of people by their ids, as far as they are there. */
export function usePeopleNames(ids: readonly string[]): Record<string, string> {
  return useQueries({
    queries: ids.slice(0, MOST).map((id) => ({
      queryKey: ["people", "name", id],
      queryFn: () => nameOf(id),
      staleTime: 300_000,
    })),
    combine: (results) =>
      Object.fromEntries(results.map(({ data }, n) => [ids[n] ?? "", data ?? ids[n] ?? ""])),
  });
}
