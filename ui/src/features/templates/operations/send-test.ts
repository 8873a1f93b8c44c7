import { useMutation, useQuery } from "@tanstack/react-query";
import { templatesKeys } from "@/features/templates/keys";
import {
  deliverySchema,
  providersSchema,
  triedSchema,
  type Delivery,
  type Provider,
} from "@/features/templates/schemas";
import type { Channel } from "@/kit/channels";
import { answered, client } from "@/kit/client";

export interface TestSend {
  providerId: string;
  personId: string;
  template: string;
  data: Record<string, unknown>;
}

async function listProviders(channel: Channel): Promise<Provider[]> {
  const params = { query: { channel } };
  const { data } = providersSchema.parse(await answered(client.GET("/v1/providers", { params })));
  return data.filter((provider) => provider.enabled);
}

async function sendTest({ providerId, ...body }: TestSend): Promise<string> {
  const params = { path: { id: providerId } };
  return triedSchema.parse(await answered(client.POST("/v1/providers/{id}/test", { params, body }))).data
    .deliveryId;
}

async function getDelivery(id: string): Promise<Delivery> {
  return deliverySchema.parse(await answered(client.GET("/v1/deliveries/{id}", { params: { path: { id } } })))
    .data;
}

export function useProviders(channel: Channel) {
  return useQuery({ queryKey: templatesKeys.providers(channel), queryFn: () => listProviders(channel) });
}

/** Goes out for real, to one person, through one provider; the saved template dresses it. */
export function useSendTest() {
  return useMutation({ mutationFn: sendTest });
}

/** What becomes of a test: asked for until it is settled, since somebody stands before it and waits. */
export function useTestDelivery(id: string) {
  return useQuery({
    queryKey: templatesKeys.delivery(id),
    queryFn: () => getDelivery(id),
    refetchInterval: ({ state }) => (state.data?.finishedAt == null ? 1_000 : false),
  });
}
