import {
  IconBell,
  IconBrandSlack,
  IconBrandWhatsapp,
  IconDeviceMobile,
  IconMail,
  IconMessage,
  IconSpeakerphone,
  IconWebhook,
  type Icon,
} from "@tabler/icons-react";
import { z } from "zod";

export const channels = [
  "email",
  "push",
  "slack",
  "sms",
  "whatsapp",
  "websocket",
  "webhook",
  "apprise",
] as const;
export const channelSchema = z.enum(channels);
export type Channel = z.infer<typeof channelSchema>;

/** A channel as one says it, and its sign. */
export const channelWords: Record<Channel, string> = {
  email: "e-mail",
  push: "push",
  slack: "Slack",
  sms: "SMS",
  whatsapp: "WhatsApp",
  websocket: "inbox",
  webhook: "webhook",
  apprise: "Apprise",
};

export const channelIcons: Record<Channel, Icon> = {
  email: IconMail,
  push: IconDeviceMobile,
  slack: IconBrandSlack,
  sms: IconMessage,
  whatsapp: IconBrandWhatsapp,
  websocket: IconBell,
  webhook: IconWebhook,
  apprise: IconSpeakerphone,
};

/** The channels that have a title besides their text. */
export function hasTitle(channel: Channel): boolean {
  return channel !== "sms";
}
