import { Button, Stack } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ProviderForm } from "@/features/channels/components/ProviderForm";
import { TypeChoice } from "@/features/channels/components/TypeChoice";
import { emptyDraft, isChanged } from "@/features/channels/logic/draft";
import { faultsIn } from "@/features/channels/logic/faults";
import { fieldsOf } from "@/features/channels/logic/fields";
import { typeWords } from "@/features/channels/logic/words";
import { useProviderTypes } from "@/features/channels/operations/list-provider-types";
import { useSaveProvider } from "@/features/channels/operations/save-provider";
import type { ProviderType } from "@/features/channels/schemas";
import { channelWords, type Channel } from "@/kit/channels";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { PageHead } from "@/kit/PageHead";
import { Asked } from "@/kit/states/Asked";

const route = getRouteApi("/shell/channels/new");

/** A new provider: for which channel, of which type, and what that has to be told. */
export function NewProviderPage() {
  return <Asked query={useProviderTypes()}>{(types) => <Chosen types={types} />}</Asked>;
}

function Chosen({ types }: { types: readonly ProviderType[] }) {
  const { channel = "email", type: wanted } = route.useSearch();
  const navigate = useNavigate({ from: "/channels/new" });
  const ofChannel = types.filter((each) => each.channels.includes(channel));
  const type = ofChannel.find((each) => each.type === wanted) ?? ofChannel[0];
  if (type === undefined) return null;
  return (
    <Editor key={`${channel} ${type.type}`} channel={channel} type={type}>
      <TypeChoice
        types={ofChannel}
        channel={channel}
        type={type.type}
        onChannel={(next) => void navigate({ search: { channel: next } })}
        onType={(next) => void navigate({ search: { channel, type: next } })}
      />
    </Editor>
  );
}

interface Props {
  channel: Channel;
  type: ProviderType;
  children: React.ReactNode;
}

function Editor({ channel, type, children }: Props) {
  const navigate = useNavigate();
  const save = useSaveProvider();
  const [fields] = useState(() => fieldsOf(type.config));
  const [before] = useState(() => emptyDraft(typeWords(type.type).name, fields));
  const [draft, setDraft] = useState(before);
  const submit = () =>
    save.mutate(
      { base: { is: "new", channel, type: type.type }, draft, fields },
      {
        onSuccess: ({ id }) => void navigate({ to: "/channels/$id", params: { id }, ignoreBlocker: true }),
      },
    );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <PageHead title="New provider" about={`What ${channelWords[channel]} goes out through.`}>
        <Button type="submit" loading={save.isPending}>
          Add the provider
        </Button>
      </PageHead>
      <LeaveGuard unsaved={isChanged(before, draft, fields) && !save.isPending} />
      <Stack>
        {children}
        <ProviderForm
          isBrief
          type={type}
          fields={fields}
          draft={draft}
          faults={faultsIn(save.error)}
          onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
        />
      </Stack>
    </form>
  );
}
