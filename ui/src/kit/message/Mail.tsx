import { Box, Group, Paper, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { HtmlFrame } from "@/kit/HtmlFrame";
import classes from "@/kit/message/message.module.css";
import type { Message } from "@/kit/message/preview-message";

type Way = "wide" | "narrow" | "text";
type Scheme = "light" | "dark";

/** A mail in a reader: as HTML, wide or on a phone, by day or by night, or as its plain text. */
export function Mail({ message, sender }: { message: Message; sender: string }) {
  const [chosen, setWay] = useState<Way>("wide");
  const [scheme, setScheme] = useState<Scheme>("light");
  const way = message.html === null ? "text" : chosen;
  return (
    <Stack gap="xs">
      {message.html !== null && (
        <Group gap="xs" justify="space-between">
          <SegmentedControl<Way>
            size="xs"
            aria-label="Shown as"
            value={way}
            onChange={setWay}
            data={[
              { value: "wide", label: "Desktop" },
              { value: "narrow", label: "Phone" },
              { value: "text", label: "Plain text" },
            ]}
          />
          {way !== "text" && (
            <SegmentedControl<Scheme>
              size="xs"
              aria-label="Colours of the reader"
              value={scheme}
              onChange={setScheme}
              data={[
                { value: "light", label: "Light" },
                { value: "dark", label: "Dark" },
              ]}
            />
          )}
        </Group>
      )}
      <Paper withBorder className={classes.mail ?? ""} maw={way === "narrow" ? 375 : "100%"}>
        <Box className={classes.mailHead ?? ""}>
          <Text size="xs" c="dimmed">
            {sender}
          </Text>
          <Text fw={620} size="sm">
            {message.subject}
          </Text>
        </Box>
        {way === "text" || message.html === null ? (
          <Text className={classes.plain ?? ""} size="sm" p="md">
            {message.text}
          </Text>
        ) : (
          <HtmlFrame html={message.html} title="The mail" scheme={scheme} />
        )}
      </Paper>
    </Stack>
  );
}
