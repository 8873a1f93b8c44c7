import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { restaurantsKeys } from "@/features/reservations/keys";
import { restaurantsSchema, type Restaurant } from "@/features/reservations/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listRestaurants(cursor?: string, limit?: number): Promise<Page<Restaurant>> {
  const query = given({ cursor, limit });
  return restaurantsSchema.parse(await answered(client.GET("/v1/restaurants", { params: { query } })));
}

export function useRestaurants(cursor: string | undefined) {
  return useQuery({
    queryKey: restaurantsKeys.page(cursor),
    queryFn: () => listRestaurants(cursor),
    placeholderData: keepPreviousData,
  });
}

async function everyRestaurant(): Promise<Restaurant[]> {
  const all: Restaurant[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await listRestaurants(cursor, 100);
    all.push(...page.data);
    if (page.pagination.nextCursor === null) return all.sort((a, b) => a.name.localeCompare(b.name));
    cursor = page.pagination.nextCursor;
  }
}

/** All of them by name, to choose from. */
export function useEveryRestaurant() {
  return useQuery({ queryKey: restaurantsKeys.every(), queryFn: everyRestaurant });
}
