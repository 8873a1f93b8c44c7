import { useMutation, useQueryClient } from "@tanstack/react-query";
import { peopleKeys } from "@/features/people/keys";
import { client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

async function enableAddress(id: string, addressId: string): Promise<void> {
  await client.POST("/v1/people/{id}/addresses/{addressId}/enable", { params: { path: { id, addressId } } });
}

export function useEnableAddress(personId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (addressId: string) => enableAddress(personId, addressId),
    onSuccess: () => {
      tellDone("It is used again.");
      return queries.invalidateQueries({ queryKey: peopleKeys.all });
    },
    onError: tellFailed,
  });
}
