import { Button, Stack } from "@mantine/core";
import { IconPlugConnected, IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { ChannelPanel } from "@/features/channels/components/ChannelPanel";
import { NotYet } from "@/features/channels/components/NotYet";
import { useProviders } from "@/features/channels/operations/list-providers";
import type { Provider } from "@/features/channels/schemas";
import { channels } from "@/kit/channels";
import { PageHead } from "@/kit/PageHead";
import { Panel } from "@/kit/Panel";
import { Asked } from "@/kit/states/Asked";
import { Empty } from "@/kit/states/Empty";
import { useMay } from "@/session/session";

/** What each channel sends through, and how it feels. */
export function ChannelsPage() {
  const may = useMay("admin");
  return (
    <>
      <PageHead
        title="Channels"
        about="What messages go out through: providers, their limits and their health."
      >
        {may && <AddProvider />}
      </PageHead>
      <Asked query={useProviders()}>{(providers) => <ByChannel providers={providers} />}</Asked>
    </>
  );
}

function AddProvider() {
  return (
    <Button component={Link} to="/channels/new" leftSection={<IconPlus size={16} />}>
      Add a provider
    </Button>
  );
}

function ByChannel({ providers }: { providers: readonly Provider[] }) {
  const of = (channel: string) => providers.filter((provider) => provider.channel === channel);
  const used = channels.filter((channel) => of(channel).length > 0);
  const unused = channels.filter((channel) => channel !== "websocket" && !used.includes(channel));
  return (
    <Stack>
      {used.length === 0 && (
        <Panel>
          <Empty icon={IconPlugConnected} title="No providers yet" action={<AddProvider />}>
            Until a channel has one, what would go out over it is kept in the sandbox, unless your
            installation says otherwise. Add a mail server, or an account at a service, and send yourself a
            test.
          </Empty>
        </Panel>
      )}
      {used.map((channel) => (
        <ChannelPanel key={channel} channel={channel} providers={of(channel)} />
      ))}
      {unused.length > 0 && <NotYet channels={unused} />}
    </Stack>
  );
}
