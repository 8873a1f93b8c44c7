import { useMutation } from "@tanstack/react-query";
import { signInLinkSchema, type SignInLink } from "@/features/access/schemas";
import { answered, client } from "@/kit/client";
import { tellFailed } from "@/kit/tell";

async function makeSignInLink(id: string): Promise<SignInLink> {
  const params = { path: { id } };
  return signInLinkSchema.parse(await answered(client.POST("/v1/users/{id}/link", { params }))).data;
}

export function useMakeSignInLink() {
  return useMutation({ mutationFn: makeSignInLink, gcTime: 0, onError: tellFailed });
}
