import { useQuery } from "@tanstack/react-query";
import { deliveryKeys } from "@/features/activity/keys";
import { deliveryInFullSchema, type DeliveryInFull } from "@/features/activity/schemas";
import { answered, client } from "@/kit/client";

async function getDelivery(id: string): Promise<DeliveryInFull> {
  const reply = await answered(client.GET("/v1/deliveries/{id}", { params: { path: { id } } }));
  return deliveryInFullSchema.parse(reply).data;
}

export function useDelivery(id: string) {
  return useQuery({ queryKey: deliveryKeys.detail(id), queryFn: () => getDelivery(id) });
}
