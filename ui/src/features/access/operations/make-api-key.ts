import { useMutation, useQueryClient } from "@tanstack/react-query";
import { accessKeys } from "@/features/access/keys";
import type { Scope } from "@/features/access/logic/scopes";
import { newApiKeySchema, type NewApiKey } from "@/features/access/schemas";
import { answered, client } from "@/kit/client";
import { tellFailed } from "@/kit/tell";

export interface WantedKey {
  name: string;
  scopes: Scope[];
  expiresAt: string | null;
}

async function makeApiKey(body: WantedKey): Promise<NewApiKey> {
  return newApiKeySchema.parse(await answered(client.POST("/v1/keys", { body }))).data;
}

export function useMakeApiKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: makeApiKey,
    gcTime: 0, // the secret is not kept
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: accessKeys.keys }),
  });
}
