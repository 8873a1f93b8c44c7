import { Alert, Button, CopyButton, Group, Stack, Textarea } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface Props {
  label: string;
  secret: string;
  /** What becomes of whoever loses it. */
  children: ReactNode;
}

/** A secret at the only moment at which it can be seen: to copy, with a word of warning. */
export function ShownOnce({ label, secret, children }: Props) {
  return (
    <Stack gap="sm">
      <Alert color="orange" icon={<IconAlertTriangle size={18} />} title="Copy it now">
        {children}
      </Alert>
      <Textarea
        label={label}
        value={secret}
        readOnly
        autosize
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", wordBreak: "break-all" } }}
      />
      <CopyButton value={secret}>
        {({ copied, copy }) => (
          <Group justify="flex-end">
            <Button
              data-autofocus
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? "Copied" : "Copy"}
            </Button>
          </Group>
        )}
      </CopyButton>
    </Stack>
  );
}
