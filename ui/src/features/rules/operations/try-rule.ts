import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { rulesKeys } from "@/features/rules/keys";
import type { TrialBody } from "@/features/rules/logic/draft";
import { trialSchema, type Trial } from "@/features/rules/schemas";
import { answered, client } from "@/kit/client";
import { sent } from "@/kit/shapes";

async function tryRule(body: TrialBody): Promise<Trial> {
  return trialSchema.parse(await answered(client.POST("/v1/rules/dry-run", { body: sent(body) }))).data;
}

/** What a rule, saved or not, would have told of facts of the past. Nothing is sent. */
export function useTrial(body: TrialBody, enabled: boolean) {
  return useQuery({
    queryKey: rulesKeys.trial(body),
    queryFn: () => tryRule(body),
    placeholderData: keepPreviousData,
    enabled,
    gcTime: 60_000,
  });
}
