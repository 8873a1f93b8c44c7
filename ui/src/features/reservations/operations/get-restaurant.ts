import { useQuery } from "@tanstack/react-query";
import { restaurantsKeys } from "@/features/reservations/keys";
import { restaurantSchema, type Restaurant } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";

async function getRestaurant(restaurantId: number): Promise<Restaurant> {
  const params = { path: { restaurantId } };
  return restaurantSchema.parse(await answered(client.GET("/v1/restaurants/{restaurantId}", { params })))
    .data;
}

export function useRestaurant(id: number) {
  return useQuery({ queryKey: restaurantsKeys.one(id), queryFn: () => getRestaurant(id) });
}
