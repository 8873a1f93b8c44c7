import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "@/kit/client";
import { categoriesKey } from "@/kit/preferences/list-categories";
import { tellDone } from "@/kit/tell";

async function deleteCategory(id: string): Promise<void> {
  await client.DELETE("/v1/categories/{id}", { params: { path: { id } } });
}

/** What is refused is shown where it was asked. */
export function useDeleteCategory() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: deleteCategory,
    onSuccess: () => tellDone("The category is deleted."),
    onSettled: () => queries.invalidateQueries({ queryKey: categoriesKey }),
  });
}
