import { Code, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "@/features/sandbox/components/Source.module.css";
import type { KeptInFull } from "@/features/sandbox/schemas";
import { Copied } from "@/kit/Copied";
import { Details } from "@/kit/Details";
import { Json } from "@/kit/Json";
import { exactly } from "@/kit/time";

/** What the message is made of, part by part. */
export function Source({ message }: { message: KeptInFull }) {
  const { text, html, data, attachments } = message;
  return (
    <Stack>
      <Details of={heads(message)} />
      {text !== null && <Part title="Text">{text}</Part>}
      {html !== null && <Part title="HTML">{html}</Part>}
      {data !== null && Object.keys(data).length > 0 && (
        <Titled title="Data">
          <Json value={data} label="Data" />
        </Titled>
      )}
      {attachments.length > 0 && (
        <Titled title="Attachments">
          <Json value={attachments} label="Attachments" />
        </Titled>
      )}
    </Stack>
  );
}

function heads(message: KeptInFull): [string, ReactNode][] {
  const found: [string, ReactNode][] = [
    ["To", message.to],
    ["Name", message.name],
    ["Subject", message.subject],
    ["Level", message.level],
    ["Unsubscribe", message.unsubscribeUrl],
    ["Kept", exactly(message.createdAt)],
  ];
  return [...found.filter(([, value]) => value !== null), ["Key", <Copied key="key" text={message.id} />]];
}

function Titled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={6}>
      <Title order={3} size="h6">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: string }) {
  return (
    <Titled title={title}>
      <Code block mah={320} className={classes.wrapped ?? ""} tabIndex={0} role="region" aria-label={title}>
        {children}
      </Code>
    </Titled>
  );
}
