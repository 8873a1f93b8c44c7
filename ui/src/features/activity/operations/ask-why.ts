import { useQuery } from "@tanstack/react-query";
import type { WhyQuestion } from "@/features/activity/addresses";
import { deliveryKeys } from "@/features/activity/keys";
import { whySchema, type Explanation } from "@/features/activity/why/schemas";
import { answered, client } from "@/kit/client";
import { given } from "@/kit/shapes";

async function askWhy(person: string, { fact, category, since, until }: WhyQuestion): Promise<Explanation> {
  const when = fact === undefined ? { since, until } : {};
  const query = { person, ...given({ fact, category, ...when }) };
  return whySchema.parse(await answered(client.GET("/v1/why", { params: { query } }))).data;
}

/** Asked as soon as it is said of whom. */
export function useWhy(question: WhyQuestion) {
  const { person } = question;
  return useQuery({
    queryKey: deliveryKeys.why(question),
    queryFn: () => askWhy(person ?? "", question),
    enabled: person !== undefined,
  });
}
