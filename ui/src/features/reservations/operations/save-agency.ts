import { useMutation, useQueryClient } from "@tanstack/react-query";
import { agenciesKeys } from "@/features/reservations/keys";
import { agencyBody, type AgencyDraft } from "@/features/reservations/logic/places";
import { agencySchema, type Agency } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";
import { sent } from "@/kit/shapes";
import { tellDone } from "@/kit/tell";

/** Makes it, or changes the one with this id. */
async function saveAgency(agencyId: number | undefined, draft: AgencyDraft): Promise<Agency> {
  const body = sent(agencyBody(draft));
  const saving =
    agencyId === undefined
      ? client.POST("/v1/agencies", { body })
      : client.PATCH("/v1/agencies/{agencyId}", { params: { path: { agencyId } }, body });
  return agencySchema.parse(await answered(saving)).data;
}

/** What is refused is for the form to show. */
export function useSaveAgency(id: number | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (draft: AgencyDraft) => saveAgency(id, draft),
    onSuccess: (agency) => {
      queries.setQueryData(agenciesKeys.one(agency.id), agency);
      tellDone(id === undefined ? `${agency.name} is there. Add its people.` : "Saved.");
      return queries.invalidateQueries({ queryKey: agenciesKeys.all });
    },
  });
}
