import { useMutation, useQueryClient } from "@tanstack/react-query";
import { rulesKeys } from "@/features/rules/keys";
import { bodyOf, changesOf, type Draft } from "@/features/rules/logic/draft";
import { ruleSchema, type Rule } from "@/features/rules/schemas";
import { answered, client } from "@/kit/client";
import { isStatus } from "@/kit/problem";
import { sent } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

/** What it was made from; of a rule that is there, which version that was. */
export type Base = { is: "new" } | { is: "saved"; rule: Rule; before: Draft };

async function saveRule(base: Base, draft: Draft): Promise<Rule> {
  if (base.is === "new")
    return ruleSchema.parse(await answered(client.POST("/v1/rules", { body: sent(bodyOf(draft)) }))).data;
  const params = {
    path: { id: base.rule.id },
    header: { "If-Match": `"${base.rule.version}"` },
  };
  const body = sent(changesOf(base.before, draft));
  return ruleSchema.parse(await answered(client.PATCH("/v1/rules/{id}", { params, body }))).data;
}

/** Faults of fields and another's change are for the form to show; everything else is told. */
export function useSaveRule() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ base, draft }: { base: Base; draft: Draft }) => saveRule(base, draft),
    onSuccess: (rule, { base }) => {
      queries.setQueryData(rulesKeys.detail(rule.id), rule);
      tellDone(base.is === "new" ? "The rule counts from now on." : `Saved as version ${rule.version}.`);
      return queries.invalidateQueries({ queryKey: rulesKeys.all });
    },
    onError: (error) => {
      if (!isStatus(error, 412) && !isStatus(error, 422)) tellFailed(error);
    },
  });
}
