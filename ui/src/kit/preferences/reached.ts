import { channels, type Channel } from "@/kit/channels";

const BY: Record<string, readonly Channel[]> = {
  email: ["email"],
  phone: ["sms", "whatsapp"],
  push: ["push"],
  slack: ["slack"],
  webhook: ["webhook"],
  apprise: ["apprise"],
};

/** The channels that somebody with these addresses can be reached on. The inbox needs none. */
export function reachedBy(addresses: readonly { kind: string }[]): Channel[] {
  const kinds = new Set(addresses.map(({ kind }) => kind));
  const reached = new Set<Channel>(["websocket", ...[...kinds].flatMap((kind) => BY[kind] ?? [])]);
  return channels.filter((channel) => reached.has(channel));
}
