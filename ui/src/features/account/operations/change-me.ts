import { useMutation, useQueryClient } from "@tanstack/react-query";
import { accountKeys } from "@/features/account/keys";
import { meSchema, type Me } from "@/features/account/schemas";
import { answered, client } from "@/kit/client";
import type { Personal } from "@/kit/preferences/PersonalForm";
import { tellDone, tellFailed } from "@/kit/tell";

async function changeMe(wanted: Personal): Promise<Me> {
  return meSchema.parse(await answered(client.PATCH("/v1/people/me", { body: wanted }))).data;
}

export function useChangeMe() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: changeMe,
    onSuccess: (me) => {
      queries.setQueryData(accountKeys.me, me);
      tellDone("Saved. It counts from now on.");
    },
    onError: tellFailed,
  });
}
