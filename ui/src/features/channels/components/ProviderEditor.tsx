import { Alert, Button, Grid, Group, Stack, Switch } from "@mantine/core";
import { useState } from "react";
import { Health } from "@/features/channels/components/Health";
import { ProviderForm } from "@/features/channels/components/ProviderForm";
import { Receipts } from "@/features/channels/components/Receipts";
import { Remove } from "@/features/channels/components/Remove";
import { TryIt } from "@/features/channels/components/TryIt";
import { draftOf, isChanged, type Draft } from "@/features/channels/logic/draft";
import { faultsIn } from "@/features/channels/logic/faults";
import type { ConfigField } from "@/features/channels/logic/fields";
import { typeWords } from "@/features/channels/logic/words";
import { useSaveProvider } from "@/features/channels/operations/save-provider";
import { useSwitchProvider } from "@/features/channels/operations/switch-provider";
import type { Provider, ProviderType } from "@/features/channels/schemas";
import { channelWords } from "@/kit/channels";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { PageHead } from "@/kit/PageHead";
import { isStatus } from "@/kit/problem";

interface Props {
  provider: Provider;
  type: ProviderType;
  fields: readonly ConfigField[];
  onRefetch: () => Promise<Provider>;
}

const FORM = "provider";

/** Another's change is taken over at once where nothing was written here, and never over what was. */
export function ProviderEditor({ provider, type, fields, onRefetch }: Props) {
  const save = useSaveProvider();
  const [base, setBase] = useState(() => ({ provider, before: draftOf(provider, fields) }));
  const [draft, setDraft] = useState(base.before);
  const unsaved = isChanged(base.before, draft, fields);
  const adopt = (newest: Provider) => {
    const before = draftOf(newest, fields);
    setBase({ provider: newest, before });
    setDraft(before);
  };
  if (provider.version > base.provider.version && !unsaved) adopt(provider);
  const keep = (saved: Provider, submitted: Draft) => {
    const before = draftOf(saved, fields);
    setBase({ provider: saved, before });
    setDraft((now) => (now === submitted ? before : now));
  };
  const submit = () =>
    save.mutate(
      { base: { is: "saved", ...base }, draft, fields },
      { onSuccess: (saved) => keep(saved, draft) },
    );
  return (
    <>
      <PageHead
        title={provider.name}
        about={`${typeWords(provider.type).name} for ${channelWords[provider.channel]}`}
      >
        <Enabled provider={provider} onSwitched={(now) => setBase((was) => ({ ...was, provider: now }))} />
        <Button type="submit" form={FORM} loading={save.isPending} disabled={!unsaved}>
          Save
        </Button>
        <Remove provider={provider} />
      </PageHead>
      <LeaveGuard unsaved={unsaved && !save.isPending} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 5 }} order={{ base: 1, md: 2 }}>
          <Stack>
            <Health provider={provider} />
            <TryIt provider={provider} unsaved={unsaved} />
            <Receipts provider={provider} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }} order={{ base: 2, md: 1 }}>
          <Stack>
            {isStatus(save.error, 412) && <Meanwhile onTake={() => void onRefetch().then(adopt)} />}
            <form
              id={FORM}
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                submit();
              }}
            >
              <ProviderForm
                type={type}
                fields={fields}
                draft={draft}
                stored={base.provider.config}
                faults={faultsIn(save.error)}
                onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
              />
            </form>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

interface EnabledProps {
  provider: Provider;
  /** It has a new version then, and what is written here goes on from that. */
  onSwitched: (provider: Provider) => void;
}

function Enabled({ provider, onSwitched }: EnabledProps) {
  const change = useSwitchProvider(provider.id);
  return (
    <Switch
      label="On"
      mr="xs"
      checked={provider.enabled}
      onChange={(event) => change.mutate(event.currentTarget.checked, { onSuccess: onSwitched })}
    />
  );
}

function Meanwhile({ onTake }: { onTake: () => void }) {
  return (
    <Alert color="orange" title="Somebody changed this provider meanwhile">
      <Group>
        <Button size="xs" variant="default" onClick={onTake}>
          Take theirs, and write mine again
        </Button>
      </Group>
    </Alert>
  );
}
