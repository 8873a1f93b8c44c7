import { useQuery } from "@tanstack/react-query";
import { importKeys } from "@/features/people/keys";
import { importSchema, type Import } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";

async function getImport(id: string): Promise<Import> {
  const params = { path: { id } };
  return importSchema.parse(await answered(client.GET("/v1/people/imports/{id}", { params }))).data;
}

/** Asks for nothing where no import is named. */
export function useImport(id: string | null) {
  return useQuery({
    queryKey: importKeys.one(id ?? ""),
    queryFn: () => getImport(id ?? ""),
    enabled: id !== null,
  });
}
