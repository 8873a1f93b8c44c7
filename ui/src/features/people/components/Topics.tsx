import { ActionIcon, Badge, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTopics } from "@/features/people/operations/list-topics";
import { useSetTopic } from "@/features/people/operations/set-topic";
import { Asked } from "@/kit/states/Asked";
import { Loading } from "@/kit/states/Loading";

const TOPIC = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/;

/** What somebody asked to hear about: joined and left, one word each. */
export function Topics({ personId }: { personId: string }) {
  const topics = useTopics(personId);
  const set = useSetTopic(personId);
  return (
    <Stack gap="sm">
      <Asked query={topics} loading={<Loading rows={1} height={24} />}>
        {(data) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              None. Rules can tell everybody who joined a topic.
            </Text>
          ) : (
            <Group gap={6} component="ul" m={0} p={0} aria-label="Topics">
              {data.map((topic) => (
                <Topic key={topic} topic={topic} onLeave={() => set.mutate({ topic, joined: false })} />
              ))}
            </Group>
          )
        }
      </Asked>
      <Join onJoin={(topic) => set.mutate({ topic, joined: true })} />
    </Stack>
  );
}

function Topic({ topic, onLeave }: { topic: string; onLeave: () => void }) {
  return (
    <Badge
      component="li"
      variant="default"
      tt="none"
      fw={500}
      size="lg"
      pr={3}
      rightSection={
        <ActionIcon size="xs" variant="subtle" color="gray" aria-label={`Leave ${topic}`} onClick={onLeave}>
          <IconX size={12} />
        </ActionIcon>
      }
    >
      {topic}
    </Badge>
  );
}

function Join({ onJoin }: { onJoin: (topic: string) => void }) {
  const [typed, setTyped] = useState("");
  const topic = typed.trim();
  const wrong = topic !== "" && !TOPIC.test(topic);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (topic === "" || wrong) return;
        onJoin(topic);
        setTyped("");
      }}
    >
      <Group gap="xs" align="flex-start">
        <TextInput
          label="Join a topic"
          placeholder="menu.changes"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={wrong ? "One word: letters, digits, and _ . : - after the first." : undefined}
          flex={1}
        />
        <Button type="submit" variant="default" mt={25} disabled={topic === "" || wrong}>
          Join
        </Button>
      </Group>
    </form>
  );
}
