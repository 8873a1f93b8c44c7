import { Button, Chip, Group, Input, Stack } from "@mantine/core";
import { useState, type SyntheticEvent } from "react";
import { useSetUsualChannels } from "@/features/reservations/operations/set-usual-channels";
import type { UsualChannels } from "@/features/reservations/schemas";
import { channels as everyChannel, channelWords, type Channel } from "@/kit/channels";

export function UsualChannelsForm({ usual, onDone }: { usual: UsualChannels; onDone: () => void }) {
  const set = useSetUsualChannels(usual.userType);
  const [channels, setChannels] = useState(usual.channels);
  const [urgent, setUrgent] = useState(usual.urgent);
  const [tried, setTried] = useState(false);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (channels.length > 0)
      set.mutate({ userType: usual.userType, channels, urgent }, { onSuccess: onDone });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <Chosen
          label="Told over"
          description="What a person does not want, or has no address for, is left out"
          value={channels}
          error={tried && channels.length === 0 ? "One at least, or nobody hears anything." : undefined}
          onChange={setChannels}
        />
        <Chosen
          label="When it is critical, also over"
          description="What is to happen within three hours is, and what nobody has acted on"
          value={urgent}
          error={undefined}
          onChange={setUrgent}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Back
          </Button>
          <Button type="submit" loading={set.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ChosenProps {
  label: string;
  description: string;
  value: Channel[];
  error: string | undefined;
  onChange: (channels: Channel[]) => void;
}

function Chosen({ label, description, value, error, onChange }: ChosenProps) {
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Chip.Group
        multiple
        value={value}
        onChange={(chosen) => onChange(everyChannel.filter((each) => chosen.includes(each)))}
      >
        <Group gap="xs" role="group" aria-label={label} my={6}>
          {everyChannel.map((channel) => (
            <Chip key={channel} value={channel} size="sm" variant="outline">
              {channelWords[channel]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}
