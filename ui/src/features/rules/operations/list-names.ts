import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { answered, client } from "@/kit/client";
import { listing, reads, type Documents } from "@/kit/shapes";

const query = { limit: 100 };
const categories = listing(
  reads<Documents["CategoryDocument"]>()(z.object({ id: z.string(), name: z.string() })),
);
const groups = listing(
  reads<Documents["GroupDocument"]>()(z.object({ externalId: z.string(), name: z.string() })),
);
const templates = listing(reads<Documents["TemplateDocument"]>()(z.object({ name: z.string() })));

async function categoryIds(): Promise<string[]> {
  const page = categories.parse(await answered(client.GET("/v1/categories", { params: { query } })));
  return [...new Set(["general", ...page.data.map((category) => category.id)])];
}

async function groupIds(): Promise<string[]> {
  const page = groups.parse(await answered(client.GET("/v1/groups", { params: { query } })));
  return page.data.map((group) => group.externalId);
}

async function templateNames(): Promise<string[]> {
  const page = templates.parse(await answered(client.GET("/v1/templates", { params: { query } })));
  return [...new Set(page.data.map((template) => template.name))];
}

const kept = { staleTime: 60_000 };

/** Names to choose from: what is there already. Others may be written too. */
export function useCategoryIds() {
  return useQuery({ queryKey: ["categories", "ids"], queryFn: categoryIds, ...kept });
}

export function useGroupIds() {
  return useQuery({ queryKey: ["groups", "ids"], queryFn: groupIds, ...kept });
}

export function useTemplateNames() {
  return useQuery({ queryKey: ["templates", "names"], queryFn: templateNames, ...kept });
}
