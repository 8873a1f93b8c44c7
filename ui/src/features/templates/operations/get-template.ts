import { useQuery } from "@tanstack/react-query";
import { templatesKeys } from "@/features/templates/keys";
import { templateSchema, type Template, type TemplateKey } from "@/features/templates/schemas";
import { answered, client } from "@/kit/client";
import { isStatus } from "@/kit/problem";
import { given } from "@/kit/shapes";

const OURS = "notice";

async function fetchTemplate(key: TemplateKey, version?: number): Promise<Template> {
  const { name, channel, locale } = key;
  const query = given({ locale: locale === "" ? undefined : locale, version });
  const params = { path: { name, channel }, query };
  return templateSchema.parse(await answered(client.GET("/v1/templates/{name}/{channel}", { params }))).data;
}

/** What is used for this language now: its own, or what stands in for it and would be the beginning of its own. */
export interface Found {
  template: Template;
  isOwn: boolean;
}

async function getTemplate(key: TemplateKey, version: number | undefined): Promise<Found> {
  const nearest = [key, { ...key, locale: "" }, { ...key, name: OURS, locale: "" }];
  for (const [n, each] of nearest.entries()) {
    try {
      return { template: await fetchTemplate(each, n === 0 ? version : undefined), isOwn: n === 0 };
    } catch (error) {
      const last = n === nearest.length - 1 || version !== undefined;
      if (last || !isStatus(error, 404)) throw error;
    }
  }
  throw new Error("there is always one of ours");
}

export function useTemplate(key: TemplateKey, version: number | undefined) {
  return useQuery({
    queryKey: templatesKeys.detail(key, version),
    queryFn: () => getTemplate(key, version),
    refetchOnWindowFocus: false,
  });
}
