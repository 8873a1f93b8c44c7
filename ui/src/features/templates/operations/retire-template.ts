import { useMutation, useQueryClient } from "@tanstack/react-query";
import { templatesKeys } from "@/features/templates/keys";
import type { TemplateKey } from "@/features/templates/schemas";
import { client } from "@/kit/client";
import { given } from "@/kit/shapes";
import { tellDone, tellFailed } from "@/kit/tell";

async function retireTemplate({ name, channel, locale }: TemplateKey): Promise<void> {
  const params = { path: { name, channel }, query: given({ locale: locale === "" ? undefined : locale }) };
  await client.DELETE("/v1/templates/{name}/{channel}", { params });
}

export function useRetireTemplate() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: retireTemplate,
    onSuccess: () => {
      tellDone("It is retired. The next nearest is used.");
      return queries.invalidateQueries({ queryKey: templatesKeys.all });
    },
    onError: tellFailed,
  });
}
