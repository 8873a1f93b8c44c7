import { Stack, Text, Title } from "@mantine/core";
import type { Provider } from "@/features/channels/schemas";
import { Copied } from "@/kit/Copied";
import { Panel } from "@/kit/Panel";

const STEPS: Record<string, string> = {
  resend:
    "At Resend, add a webhook to this address for the events of mails, and give its signing secret here as the webhook secret.",
  twilio: "Give this address here as the status callback. Twilio signs what it tells with the auth token.",
  meta: "At Meta, give this address as callback of the WhatsApp product, field messages, with the verify token; give the app secret here.",
};

/** Where a provider tells what became of a message after it was taken. */
export function Receipts({ provider: { type, receiptsUrl } }: { provider: Provider }) {
  if (receiptsUrl === null) return null;
  return (
    <Panel p="md">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Receipts
        </Title>
        <Text size="sm">{STEPS[type] ?? "Give this address to the provider."}</Text>
        <div>
          <Copied text={receiptsUrl} />
        </div>
        <Text size="xs" c="dimmed">
          Then deliveries say whether they arrived, bounced or were read. Press the address to copy it.
        </Text>
      </Stack>
    </Panel>
  );
}
