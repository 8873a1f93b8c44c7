import { useMutation, useQueryClient } from "@tanstack/react-query";
import { groupKeys } from "@/features/people/keys";
import { membersAddedSchema } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

interface Added {
  groupId: string;
  people: string[];
}

async function addMembers({ groupId, people }: Added): Promise<number> {
  const adding = client.POST("/v1/groups/{id}/members", {
    params: { path: { id: groupId } },
    body: { people },
  });
  return membersAddedSchema.parse(await answered(adding)).data.added;
}

export function useAddMembers() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: addMembers,
    onSuccess: (added) => {
      tellDone(inWords(added));
      return queries.invalidateQueries({ queryKey: groupKeys.all });
    },
    onError: tellFailed,
  });
}

function inWords(added: number): string {
  if (added === 0) return "Nobody new: they belong to it already.";
  return added === 1 ? "One person added." : `${added} people added.`;
}
