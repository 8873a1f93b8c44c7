import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { DeliveriesFilter } from "@/features/activity/addresses";
import { deliveryKeys } from "@/features/activity/keys";
import { deliveriesSchema, type Delivery } from "@/features/activity/schemas";
import { answered, client } from "@/kit/client";
import { given, type Page } from "@/kit/shapes";

async function listDeliveries(filter: DeliveriesFilter): Promise<Page<Delivery>> {
  const reply = await answered(client.GET("/v1/deliveries", { params: { query: given(filter) } }));
  return deliveriesSchema.parse(reply);
}

export function useDeliveries(filter: DeliveriesFilter) {
  return useQuery({
    queryKey: deliveryKeys.list(filter),
    queryFn: () => listDeliveries(filter),
    placeholderData: keepPreviousData,
  });
}
