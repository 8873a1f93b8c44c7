import {
  IconBrandSlack,
  IconDeviceMobile,
  IconMail,
  IconPhone,
  IconSpeakerphone,
  IconWebhook,
  type Icon,
} from "@tabler/icons-react";
import { kinds, type Kind } from "@/features/people/schemas";

interface Words {
  label: string;
  icon: Icon;
  /** What an address of this kind looks like. */
  example: string;
  /** What it serves, and what becomes of it. */
  about: string;
}

const SEALED = "Kept sealed: after it is saved, only where it leads is shown.";

export const kindWords: Record<Kind, Words> = {
  email: { label: "E-mail", icon: IconMail, example: "somebody@example.com", about: "For mail." },
  phone: { label: "Phone", icon: IconPhone, example: "+390612345678", about: "For SMS and WhatsApp." },
  push: {
    label: "Push token",
    icon: IconDeviceMobile,
    example: "The token of a device",
    about: "For one app on one device.",
  },
  slack: {
    label: "Slack webhook",
    icon: IconBrandSlack,
    example: "https://hooks.slack.com/services/…",
    about: SEALED,
  },
  webhook: {
    label: "Webhook",
    icon: IconWebhook,
    example: "https://hooks.example.com/in/7",
    about: `${SEALED} What is sent there is signed; the secret is shown once.`,
  },
  apprise: {
    label: "Apprise URL",
    icon: IconSpeakerphone,
    example: "ntfys://ntfy.example.com/topic",
    about: SEALED,
  },
};

export const kindOptions = kinds.map((kind) => ({ value: kind, label: kindWords[kind].label }));
