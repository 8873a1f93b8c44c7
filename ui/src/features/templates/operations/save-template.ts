import { useMutation, useQueryClient } from "@tanstack/react-query";
import { templatesKeys } from "@/features/templates/keys";
import { bodyOf } from "@/features/templates/logic/source";
import { templateSchema, type Source, type Template, type TemplateKey } from "@/features/templates/schemas";
import { answered, client } from "@/kit/client";
import { isStatus } from "@/kit/problem";
import { given } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

async function saveTemplate(key: TemplateKey, source: Source): Promise<Template> {
  const { name, channel, locale } = key;
  const params = { path: { name, channel }, query: given({ locale: locale === "" ? undefined : locale }) };
  const body = bodyOf(source);
  return templateSchema.parse(await answered(client.PUT("/v1/templates/{name}/{channel}", { params, body })))
    .data;
}

export function useSaveTemplate(key: TemplateKey) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (source: Source) => saveTemplate(key, source),
    onSuccess: (template) => {
      queries.setQueryData(templatesKeys.detail(key, undefined), { template, isOwn: true });
      tellDone(`Version ${template.version ?? 1} is used from now on.`);
      return queries.invalidateQueries({ queryKey: templatesKeys.all });
    },
    onError: (error) => {
      if (!isStatus(error, 422)) tellFailed(error);
    },
  });
}
