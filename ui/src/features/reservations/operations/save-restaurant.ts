import { useMutation, useQueryClient } from "@tanstack/react-query";
import { restaurantsKeys } from "@/features/reservations/keys";
import { restaurantBody, type RestaurantDraft } from "@/features/reservations/logic/places";
import { restaurantSchema, type Restaurant } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";
import { sent } from "@/kit/shapes";
import { tellDone } from "@/kit/tell";

/** Makes it, or changes the one with this id. */
async function saveRestaurant(restaurantId: number | undefined, draft: RestaurantDraft): Promise<Restaurant> {
  const body = sent(restaurantBody(draft));
  const saving =
    restaurantId === undefined
      ? client.POST("/v1/restaurants", { body })
      : client.PATCH("/v1/restaurants/{restaurantId}", { params: { path: { restaurantId } }, body });
  return restaurantSchema.parse(await answered(saving)).data;
}

/** What is refused is for the form to show. */
export function useSaveRestaurant(id: number | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (draft: RestaurantDraft) => saveRestaurant(id, draft),
    onSuccess: (restaurant) => {
      queries.setQueryData(restaurantsKeys.one(restaurant.id), restaurant);
      tellDone(id === undefined ? `${restaurant.name} is there. Add its people.` : "Saved.");
      return queries.invalidateQueries({ queryKey: restaurantsKeys.all });
    },
  });
}
