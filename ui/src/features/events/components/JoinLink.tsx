import { Button, CopyButton, Group, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { Section } from "@/kit/Section";

/** Where people without a login join: to be sent to them. */
export function JoinLink({ url }: { url: string }) {
  return (
    <Section
      title="Link for guests"
      about="Who has no login joins here with an e-mail address, and confirms by mail. Whoever has the link can."
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          aria-label="Link for guests"
          value={url}
          readOnly
          flex={1}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Section>
  );
}
