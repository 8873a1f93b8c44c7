import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { CategoryDraft } from "@/features/categories/schemas";
import { answered, client } from "@/kit/client";
import { isStatus } from "@/kit/problem";
import { categoriesKey } from "@/kit/preferences/list-categories";
import { categorySchema, type Category } from "@/kit/preferences/schemas";
import { tellDone, tellFailed } from "@/kit/tell";

async function putCategory({ id, name, description, required }: CategoryDraft): Promise<Category> {
  const body = { name: name.trim(), description: description.trim() || null, required };
  const params = { path: { id } };
  return categorySchema.parse(await answered(client.PUT("/v1/categories/{id}", { params, body }))).data;
}

/** Shows it at once, and takes it back where the server does not agree. Faults of fields are for the form. */
export function usePutCategory() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: putCategory,
    onMutate: async (draft) => {
      await queries.cancelQueries({ queryKey: categoriesKey });
      const before = queries.getQueryData<Category[]>(categoriesKey);
      queries.setQueryData<Category[]>(categoriesKey, (all) => all && replaced(all, draft));
      return before;
    },
    onSuccess: ({ name }) => tellDone(`${name} is saved.`),
    onError: (error, _, before) => {
      queries.setQueryData(categoriesKey, before);
      if (!isStatus(error, 422)) tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: categoriesKey }),
  });
}

function replaced(all: Category[], draft: CategoryDraft): Category[] {
  const category = { ...draft, description: draft.description || null };
  const others = all.filter(({ id }) => id !== draft.id);
  return [...others, category].sort((one, other) => (one.id < other.id ? -1 : 1));
}
