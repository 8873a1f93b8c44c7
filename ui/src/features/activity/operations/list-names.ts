import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { categoryKeys, providerKeys } from "@/features/activity/keys";
import { providersSchema, type Provider } from "@/features/activity/schemas";
import { answered, client } from "@/kit/client";
import { listing, reads, type Documents } from "@/kit/shapes";

async function listProviders(): Promise<Provider[]> {
  return providersSchema.parse(await answered(client.GET("/v1/providers"))).data;
}

export function useProviders() {
  return useQuery({ queryKey: providerKeys.names(), queryFn: listProviders });
}

const categoriesSchema = listing(reads<Documents["CategoryDocument"]>()(z.object({ id: z.string() })));

async function listCategories(): Promise<string[]> {
  const reply = await answered(client.GET("/v1/categories", { params: { query: { limit: 100 } } }));
  return categoriesSchema.parse(reply).data.map(({ id }) => id);
}

export function useCategories() {
  return useQuery({ queryKey: categoryKeys.names(), queryFn: listCategories });
}
