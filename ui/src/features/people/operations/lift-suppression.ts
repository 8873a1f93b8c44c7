import { useMutation, useQueryClient } from "@tanstack/react-query";
import { suppressionKeys } from "@/features/people/keys";
import type { Suppression } from "@/features/people/schemas";
import { client } from "@/kit/client";
import type { Page } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

type Which = Pick<Suppression, "kind" | "fingerprint">;

/** By its fingerprint: a URL is not known here, and need not be. */
async function lift({ kind, fingerprint }: Which): Promise<void> {
  await client.DELETE("/v1/suppressions", { params: { query: { kind, value: fingerprint } } });
}

/** Gone at once, and back where the server does not agree. */
export function useLiftSuppression() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: lift,
    onMutate: async (which) => {
      await queries.cancelQueries({ queryKey: suppressionKeys.all });
      const before = queries.getQueriesData({ queryKey: suppressionKeys.all });
      queries.setQueriesData<Page<Suppression>>(
        { queryKey: suppressionKeys.lists() },
        (page) => page && { ...page, data: page.data.filter((one) => !same(one, which)) },
      );
      return before;
    },
    onSuccess: () => tellDone("It is sent to again."),
    onError: (error, _, before) => {
      for (const [key, data] of before ?? []) queries.setQueryData(key, data);
      tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: suppressionKeys.all }),
  });
}

function same(one: Which, other: Which): boolean {
  return one.kind === other.kind && one.fingerprint === other.fingerprint;
}
