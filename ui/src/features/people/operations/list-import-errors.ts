import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { importKeys } from "@/features/people/keys";
import { wrongRowsSchema, type WrongRow } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listImportErrors(id: string, cursor: string | undefined): Promise<Page<WrongRow>> {
  const params = { path: { id }, query: given({ cursor }) };
  return wrongRowsSchema.parse(await answered(client.GET("/v1/people/imports/{id}/errors", { params })));
}

export function useImportErrors(id: string, cursor: string | undefined) {
  return useQuery({
    queryKey: importKeys.errors(id, cursor),
    queryFn: () => listImportErrors(id, cursor),
    placeholderData: keepPreviousData,
  });
}
