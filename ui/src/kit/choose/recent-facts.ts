import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { answered, client } from "@/kit/client";
import { given, listing, reads, type Documents } from "@/kit/shapes";

const fact = reads<Documents["FactDocument"]>()(
  z.object({
    id: z.string(),
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
    occurredAt: z.string(),
  }),
);
export type Fact = z.infer<typeof fact>;
const factsSchema = listing(fact);

async function recentFacts(type: string | undefined, limit: number): Promise<Fact[]> {
  const query = { ...given({ type }), limit };
  return factsSchema.parse(await answered(client.GET("/v1/facts", { params: { query } }))).data;
}

/**
 * The newest facts, of every type or of one (`order.*` is one too): to choose from, and to learn what they hold.
 * They stay as they are while one works with them.
 */
export function useRecentFacts(type?: string, limit = 50) {
  return useQuery({
    queryKey: ["samples", "facts", type ?? null, limit],
    queryFn: () => recentFacts(type, limit),
    staleTime: 60_000,
    enabled: type === undefined || FACT_TYPE.test(type),
  });
}

const FACT_TYPE = /^[a-z0-9_.]+\*?$/;
