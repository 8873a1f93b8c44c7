import { useMutation, useQueryClient } from "@tanstack/react-query";
import { peopleKeys } from "@/features/people/keys";
import { client } from "@/kit/client";
import { tellFailed } from "@/kit/tell";

export interface TopicWish {
  topic: string;
  joined: boolean;
}

async function setTopic(id: string, { topic, joined }: TopicWish): Promise<void> {
  const params = { path: { id, topic } };
  if (joined) await client.PUT("/v1/people/{id}/topics/{topic}", { params });
  else await client.DELETE("/v1/people/{id}/topics/{topic}", { params });
}

/** Joined or left: shown at once, and taken back where the server does not agree. */
export function useSetTopic(personId: string) {
  const queries = useQueryClient();
  const key = peopleKeys.topics(personId);
  return useMutation({
    mutationFn: (wish: TopicWish) => setTopic(personId, wish),
    onMutate: async (wish) => {
      await queries.cancelQueries({ queryKey: key });
      const before = queries.getQueryData<string[]>(key);
      queries.setQueryData<string[]>(key, (topics = []) => topicsAfter(topics, wish));
      return before;
    },
    onError: (error, _, before) => {
      queries.setQueryData(key, before);
      tellFailed(error);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
}

export function topicsAfter(topics: readonly string[], { topic, joined }: TopicWish): string[] {
  const others = topics.filter((known) => known !== topic);
  return joined ? [...others, topic].sort() : others;
}
