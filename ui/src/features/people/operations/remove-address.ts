import { useMutation, useQueryClient } from "@tanstack/react-query";
import { peopleKeys } from "@/features/people/keys";
import type { Person } from "@/features/people/schemas";
import { client } from "@/kit/client";
import { tellFailed } from "@/kit/tell";

async function removeAddress(id: string, addressId: string): Promise<void> {
  await client.DELETE("/v1/people/{id}/addresses/{addressId}", { params: { path: { id, addressId } } });
}

/** Gone at once, and back where the server does not agree. */
export function useRemoveAddress(personId: string) {
  const queries = useQueryClient();
  const key = peopleKeys.one(personId);
  return useMutation({
    mutationFn: (addressId: string) => removeAddress(personId, addressId),
    onMutate: async (addressId) => {
      await queries.cancelQueries({ queryKey: key });
      const before = queries.getQueryData<Person>(key);
      queries.setQueryData<Person>(
        key,
        (person) => person && { ...person, addresses: person.addresses.filter(({ id }) => id !== addressId) },
      );
      return before;
    },
    onError: (error, _, before) => {
      queries.setQueryData(key, before);
      tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: peopleKeys.all }),
  });
}
