import { useMutation, useQueryClient } from "@tanstack/react-query";
import { groupKeys } from "@/features/people/keys";
import { groupSchema, type Group } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";
import { sent } from "@/kit/shapes";
import { tellDone } from "@/kit/tell";

export interface GroupDraft {
  name: string;
  externalId: string;
  type: string;
}

/** Creates it, or changes the one with this id. */
async function saveGroup(id: string | undefined, draft: GroupDraft): Promise<Group> {
  const body = sent({
    name: draft.name.trim(),
    externalId: draft.externalId.trim(),
    type: draft.type.trim() || null,
  });
  const saving =
    id === undefined
      ? client.POST("/v1/groups", { body })
      : client.PATCH("/v1/groups/{id}", { params: { path: { id } }, body });
  return groupSchema.parse(await answered(saving)).data;
}

/** What is refused is for the form to show. */
export function useSaveGroup(id: string | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (draft: GroupDraft) => saveGroup(id, draft),
    onSuccess: (group) => {
      queries.setQueryData(groupKeys.one(group.id), group);
      tellDone(id === undefined ? `${group.name} is there. Add its people.` : "Saved.");
      return queries.invalidateQueries({ queryKey: groupKeys.all });
    },
  });
}
