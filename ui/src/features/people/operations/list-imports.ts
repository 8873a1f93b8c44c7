import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { importKeys } from "@/features/people/keys";
import { importsSchema, type Import } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listImports(cursor: string | undefined): Promise<Page<Import>> {
  const params = { query: given({ cursor }) };
  return importsSchema.parse(await answered(client.GET("/v1/people/imports", { params })));
}

export function useImports(cursor: string | undefined) {
  return useQuery({
    queryKey: importKeys.list(cursor),
    queryFn: () => listImports(cursor),
    placeholderData: keepPreviousData,
  });
}
