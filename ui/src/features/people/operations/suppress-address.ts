import { useMutation, useQueryClient } from "@tanstack/react-query";
import { suppressionKeys } from "@/features/people/keys";
import { suppressionSchema, type Kind, type Suppression } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";
import { sent } from "@/kit/shapes";
import { tellDone } from "@/kit/tell";

export interface NewSuppression {
  kind: Kind;
  value: string;
  detail: string;
}

async function suppress({ kind, value, detail }: NewSuppression): Promise<Suppression> {
  const why = detail.trim();
  const body = sent({ kind, value: value.trim(), ...(why === "" ? {} : { detail: why }) });
  return suppressionSchema.parse(await answered(client.POST("/v1/suppressions", { body }))).data;
}

/** What is refused is for the form to show. */
export function useSuppress() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: suppress,
    onSuccess: () => {
      tellDone("Nothing is sent there any more.");
      return queries.invalidateQueries({ queryKey: suppressionKeys.all });
    },
  });
}
