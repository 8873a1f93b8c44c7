import { useMutation, useQueryClient } from "@tanstack/react-query";
import { overviewKey } from "@/features/overview/operations/get-overview";
import { answered, client } from "@/kit/client";
import { tellDone, tellFailed } from "@/kit/tell";

type What = "fact" | "person" | "rule";

const DONE: Record<What, string> = {
  fact: "order.paid is committed.",
  person: "The example person is there.",
  rule: "The rule listens from now on.",
};

async function begin(what: What): Promise<void> {
  switch (what) {
    case "fact":
      await answered(
        client.POST("/v1/facts", { body: { type: "order.paid", data: { order: 7, total: "12.50" } } }),
      );
      return;
    case "person":
      await answered(
        client.POST("/v1/people", {
          body: { name: "An example person", email: "somebody@example.com" },
        }),
      );
      return;
    case "rule":
      await answered(
        client.POST("/v1/rules", {
          body: {
            name: "Orders that are paid",
            factType: "order.paid",
            audience: [{ by: "everyone" }],
            channels: ["email"],
            title: "Order {{ data.order }} is paid",
            body: "Thank you. We have received {{ data.total }}.",
          },
        }),
      );
  }
}

export function useBegin() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: begin,
    onSuccess: (_, what) => tellDone(DONE[what]),
    onError: tellFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: overviewKey }),
  });
}
