import { useMutation, useQueryClient } from "@tanstack/react-query";
import { organizationsKeys } from "@/features/organizations/keys";
import { invitationSchema, type Invitation } from "@/features/organizations/schemas";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

export type Deed = "resend" | "revoke";

const DONE: Record<Deed, string> = {
  resend: "A new link is on its way. The one before it is void.",
  revoke: "It is taken back: its link is void.",
};

async function act({ id, organizationId }: Invitation, deed: Deed): Promise<Invitation> {
  const params = { path: { organizationId, invitationId: id } };
  const asking =
    deed === "resend"
      ? client.POST("/v1/organizations/{organizationId}/invitations/{invitationId}/resend", { params })
      : client.POST("/v1/organizations/{organizationId}/invitations/{invitationId}/revoke", { params });
  return invitationSchema.parse(await answered(asking)).data;
}

export function useActOnInvitation(invitation: Invitation) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (deed: Deed) => act(invitation, deed),
    onSuccess: (changed, deed) => {
      queries.setQueryData<Invitation[]>(organizationsKeys.invitations(changed.organizationId), (all) =>
        all?.map((each) => (each.id === changed.id ? changed : each)),
      );
      tellDone(DONE[deed]);
    },
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: organizationsKeys.all }),
  });
}
