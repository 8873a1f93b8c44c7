import { useMutation, useQueryClient } from "@tanstack/react-query";
import { restaurantsKeys } from "@/features/reservations/keys";
import { client } from "@/kit/client";
import { tellDone } from "@/kit/tell";

async function deleteRestaurant(restaurantId: number): Promise<void> {
  await client.DELETE("/v1/restaurants/{restaurantId}", { params: { path: { restaurantId } } });
}

/** Why it was refused is for the question to show. */
export function useDeleteRestaurant(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => deleteRestaurant(id),
    onSuccess: () => {
      queries.removeQueries({ queryKey: restaurantsKeys.one(id) });
      tellDone("The restaurant is gone. Its people stay.");
      return queries.invalidateQueries({ queryKey: restaurantsKeys.all });
    },
  });
}
