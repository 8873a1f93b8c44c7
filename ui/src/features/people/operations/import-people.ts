import { useMutation, useQueryClient } from "@tanstack/react-query";
import { groupKeys, importKeys, peopleKeys } from "@/features/people/keys";
import { importSchema } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";
import { Problem } from "@/kit/problem";

const LONGEST_NAME = 255;

export interface Upload {
  file: File;
  dryRun: boolean;
}

/** The id of the import that came of it: also where the file was refused, which its page explains. */
async function importPeople({ file, dryRun }: Upload): Promise<string> {
  try {
    const sending = client.POST("/v1/people/imports", {
      params: { query: { dryRun, file: file.name.slice(0, LONGEST_NAME) } },
      headers: { "Content-Type": "text/csv" },
      body: file as never, // sent as it lies on the disk: its type in OpenAPI is a string
      bodySerializer: (body) => body,
    });
    return importSchema.parse(await answered(sending)).data.id;
  } catch (error) {
    const refused = error instanceof Problem ? error.location?.split("/").at(-1) : undefined;
    if (refused !== undefined) return refused;
    throw error;
  }
}

export function useImportPeople() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: importPeople,
    onMutate: () => void queries.invalidateQueries({ queryKey: importKeys.all }),
    onSettled: async () => {
      for (const queryKey of [importKeys.all, peopleKeys.all, groupKeys.all])
        await queries.invalidateQueries({ queryKey });
    },
  });
}
