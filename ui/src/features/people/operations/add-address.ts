import { useMutation, useQueryClient } from "@tanstack/react-query";
import { peopleKeys } from "@/features/people/keys";
import { addressSchema, type Address, type Kind } from "@/features/people/schemas";
import { answered, client } from "@/kit/client";

export interface NewAddress {
  kind: Kind;
  value: string;
}

async function addAddress(personId: string, body: NewAddress): Promise<Address> {
  const params = { path: { id: personId } };
  return addressSchema.parse(await answered(client.POST("/v1/people/{id}/addresses", { params, body }))).data;
}

/** What is refused is for the form to show; a webhook's secret is in the answer, and in no other. */
export function useAddAddress(personId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (address: NewAddress) => addAddress(personId, address),
    onSuccess: () => queries.invalidateQueries({ queryKey: peopleKeys.all }),
  });
}
