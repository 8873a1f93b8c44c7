import type { Provider } from "@/features/channels/schemas";
import type { Channel } from "@/kit/channels";

interface TypeWords {
  name: string;
  about: string;
}

const TYPES: Record<string, TypeWords> = {
  smtp: { name: "SMTP", about: "Any mail server: your own, or that of a mail service." },
  resend: { name: "Resend", about: "Mail over Resend's API, with receipts." },
  twilio: { name: "Twilio", about: "SMS and WhatsApp over an account of Twilio, with receipts." },
  meta: {
    name: "WhatsApp Business",
    about: "A number of a WhatsApp business account at Meta, with receipts.",
  },
  fcm: { name: "Firebase", about: "Push to Android, iOS and browsers by Firebase Cloud Messaging." },
  webhook: { name: "Webhook", about: "Signed requests to people's own endpoints. Nothing to set." },
  slack: { name: "Slack", about: "Posts to people's own incoming webhooks. Nothing to set." },
  apprise: {
    name: "Apprise",
    about: "The services that Apprise knows, by people's own URLs. Nothing to set.",
  },
  sandbox: { name: "Sandbox", about: "Sends nothing: keeps every message to be looked at under Sandbox." },
  none: { name: "None", about: "Refuses everything. For a channel that nobody should use." },
  websocket: { name: "Inbox", about: "Comes with Tidings." },
};

export function typeWords(type: string): TypeWords {
  return TYPES[type] ?? { name: type, about: "" };
}

/** "at most 10 in 1s, 4 at a time". */
export function limitsInWords({ rate, concurrency }: Pick<Provider, "rate" | "concurrency">): string {
  const said = [
    rate === null ? undefined : `${rate.count.toLocaleString()} in ${rate.period}`,
    concurrency === null ? undefined : `${concurrency.toLocaleString()} at a time`,
  ].filter((each) => each !== undefined);
  return said.length === 0 ? "no limits" : `at most ${said.join(", ")}`;
}

/** Its place among those of its channel, which the API lists in the order in which they are used. */
export function placeInWords(provider: Provider, place: number, among: number): string | undefined {
  if (among === 1 || !provider.enabled) return undefined;
  if (place === 0) return "used now";
  return provider.builtIn ? "only where there is no other" : "takes over";
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What becomes of a message over this channel now. The first of its providers takes it. */
export function channelInShort(
  channel: Channel,
  providers: readonly Pick<Provider, "type" | "name" | "builtIn" | "enabled">[],
): string {
  if (channel === "websocket") return "Comes with Tidings; there is nothing to set up.";
  const [first] = providers;
  if (first === undefined) return "No provider yet.";
  if (!first.enabled) return "All are turned off: what is to be sent waits.";
  const whose = first.builtIn ? "No provider of your own yet: messages are" : `By ${first.name} messages are`;
  if (first.type === "sandbox") return `${whose} kept in the sandbox.`;
  if (first.type === "none") return `${whose} refused.`;
  return `Goes out through ${first.name}.`;
}
