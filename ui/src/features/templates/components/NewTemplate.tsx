import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { LocaleInput } from "@/kit/LocaleInput";
import { isLocale } from "@/kit/locales";
import { channels, channelWords, type Channel } from "@/kit/channels";

const SLUG = /^[a-z][a-z0-9_.-]{0,99}$/;

/** What it begins from. */
export interface Beginning {
  name: string;
  channel: Channel;
}

interface Props {
  /** None: it is closed. */
  from: Beginning | undefined;
  onClose: () => void;
}

/** Asks which one is to be written; it is there once it is saved. */
export function NewTemplate({ from, onClose }: Props) {
  return (
    <Modal opened={from !== undefined} onClose={onClose} title="New template">
      {from !== undefined && <Form from={from} onClose={onClose} />}
    </Modal>
  );
}

function Form({ from, onClose }: { from: Beginning; onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState(from.name);
  const [channel, setChannel] = useState(from.channel);
  const [locale, setLocale] = useState("");
  const ready = SLUG.test(name) && (locale === "" || isLocale(locale));
  const go = () => {
    onClose();
    void navigate({
      to: "/templates/$name/$channel",
      params: { name, channel },
      search: locale === "" ? {} : { locale },
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) go();
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Rules name their template; notice is the one of all that name none"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={SLUG.test(name) ? undefined : "Lower-case letters, digits, _, - and dots"}
          data-autofocus
        />
        <Select
          label="Channel"
          data={channels.map((value) => ({ value, label: channelWords[value] }))}
          value={channel}
          onChange={(value) => value !== null && setChannel(value)}
          allowDeselect={false}
        />
        <LocaleInput
          label="Language"
          description="Empty: for everybody who has none of their own"
          placeholder="every language"
          value={locale}
          onChange={setLocale}
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={!ready}>
            Write it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
