import type { Channel } from "@/kit/channels";
import { Bubble } from "@/kit/message/Bubble";
import { Mail } from "@/kit/message/Mail";
import { Plain } from "@/kit/message/Plain";
import type { Message } from "@/kit/message/preview-message";
import { Push } from "@/kit/message/Push";
import { SlackPost } from "@/kit/message/SlackPost";

interface Props {
  channel: Channel;
  message: Message;
  /** Who it comes from. */
  sender: string;
}

/** A message about as it looks where it arrives. */
export function MessagePreview({ channel, message, sender }: Props) {
  switch (channel) {
    case "email":
      return <Mail message={message} sender={sender} />;
    case "push":
      return <Push message={message} sender={sender} />;
    case "slack":
      return <SlackPost message={message} sender={sender} />;
    case "sms":
    case "whatsapp":
      return <Bubble message={message} sender={sender} kind={channel} />;
    case "websocket":
    case "webhook":
    case "apprise":
      return <Plain message={message} />;
  }
}
