import { Text } from "@mantine/core";
import classes from "@/kit/message/message.module.css";
import type { Message } from "@/kit/message/preview-message";

interface Props {
  message: Message;
  sender: string;
  kind: "sms" | "whatsapp";
}

const ONE_SMS = 160;
const PART_OF_MANY = 153;
const WIDE_SMS = 70;
const WIDE_PART = 67;

/** A text in a conversation; of an SMS also how many it takes. */
export function Bubble({ message, sender, kind }: Props) {
  return (
    <div className={classes.talk} data-kind={kind}>
      <Text size="xs" ta="center" className={classes.faint ?? ""} mb={8}>
        {sender}
      </Text>
      <div className={classes.bubble}>
        {kind === "whatsapp" && message.subject !== null && (
          <Text size="sm" fw={700} className={classes.break ?? ""}>
            {message.subject}
          </Text>
        )}
        <Text size="sm" className={classes.plain ?? ""}>
          {message.text}
        </Text>
      </div>
      {kind === "sms" && (
        <Text size="xs" className={classes.faint ?? ""} mt={6}>
          {inSms(message.text)}
        </Text>
      )}
    </div>
  );
}

/** What providers count and charge: texts beyond the letters of GSM 03.38 fit less. */
export function inSms(text: string): string {
  const narrow = /^[\n\r\w @£$¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ!"#¤%&'()*+,\-./:;<=>?¡ÄÖÑÜ§¿äöñüà^{}\\[~\]|€]*$/.test(
    text,
  );
  const [one, part] = narrow ? [ONE_SMS, PART_OF_MANY] : [WIDE_SMS, WIDE_PART];
  const count = text.length <= one ? 1 : Math.ceil(text.length / part);
  return `${text.length} characters, ${count === 1 ? "one SMS" : `${count} SMS`}`;
}
