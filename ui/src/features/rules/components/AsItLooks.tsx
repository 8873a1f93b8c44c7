import { Group, Modal, Select, Stack, Tabs } from "@mantine/core";
import { useState } from "react";
import type { RuleParts, Tried } from "@/features/rules/schemas";
import { channelWords, type Channel } from "@/kit/channels";
import { MessagePreview } from "@/kit/message/MessagePreview";
import { useMessagePreview } from "@/kit/message/preview-message";
import { Failed } from "@/kit/states/Failed";
import { Loading } from "@/kit/states/Loading";
import { useSession } from "@/session/session";

interface Person {
  id: string;
  name: string;
}

interface Props {
  fact: Tried;
  rule: RuleParts;
  people: readonly Person[];
  /** Whose message is shown; none: it is closed. */
  person: Person | undefined;
  onPerson: (person: Person) => void;
  onClose: () => void;
}

/** What one of them would have got, channel by channel, in their language. */
export function AsItLooks({ fact, rule, people, person, onPerson, onClose }: Props) {
  const [chosen, setChannel] = useState<Channel>();
  const channel = chosen !== undefined && rule.channels.includes(chosen) ? chosen : rule.channels[0];
  return (
    <Modal opened={person !== undefined} onClose={onClose} title="As it would look" size="xl">
      {person !== undefined && channel !== undefined && (
        <Stack>
          <Group align="flex-end" gap="sm">
            <Select
              label="For"
              data={people.map(({ id, name }) => ({ value: id, label: name }))}
              value={person.id}
              onChange={(id) => {
                const next = people.find((each) => each.id === id);
                if (next !== undefined) onPerson(next);
              }}
              allowDeselect={false}
            />
          </Group>
          <Tabs
            value={channel}
            onChange={(value) => setChannel(rule.channels.find((each) => each === value))}
          >
            <Tabs.List mb="sm">
              {rule.channels.map((each) => (
                <Tabs.Tab key={each} value={each}>
                  {channelWords[each]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={channel}>
              <Look key={channel} channel={channel} fact={fact} rule={rule} person={person} />
            </Tabs.Panel>
          </Tabs>
        </Stack>
      )}
    </Modal>
  );
}

function Look({
  channel,
  fact,
  rule,
  person,
}: {
  channel: Channel;
  fact: Tried;
  rule: RuleParts;
  person: Person;
}) {
  const { tenant } = useSession();
  const { last, error } = useMessagePreview({
    channel,
    name: rule.template,
    factId: fact.factId,
    personId: person.id,
    notice: { title: fact.title ?? "", body: fact.body ?? "", level: rule.level, category: rule.category },
  });
  if (error !== null) return <Failed error={error} />;
  if (last === undefined) return <Loading rows={3} />;
  return <MessagePreview channel={channel} message={last} sender={tenant} />;
}
