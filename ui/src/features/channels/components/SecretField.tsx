import { Button, PasswordInput, Stack, Text, Textarea, type InputWrapperProps } from "@mantine/core";
import type { ReactNode } from "react";
import type { ConfigValue } from "@/features/channels/logic/draft";

interface Props {
  label: string;
  description: ReactNode;
  inputWrapperOrder: NonNullable<InputWrapperProps["inputWrapperOrder"]>;
  required: boolean;
  error: string | undefined;
  isDocument: boolean;
  value: string;
  /** The end of what is stored, or that something is. */
  stored: string | undefined;
  wasRemoved: boolean;
  onChange: (value: ConfigValue) => void;
}

/** A credential: goes in, and never comes out. Left empty, the stored one stays. */
export function SecretField({ isDocument, value, stored, wasRemoved, required, onChange, ...common }: Props) {
  const props = {
    ...common,
    required: required && stored === undefined,
    withAsterisk: required,
    value,
    placeholder: wasRemoved ? "Will be removed" : hintOf(stored),
    autoComplete: "new-password",
  };
  const mayRemove = stored !== undefined && !required;
  return (
    <Stack gap={2}>
      {isDocument ? (
        <Textarea
          {...props}
          rows={5}
          spellCheck={false}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <PasswordInput {...props} onChange={(event) => onChange(event.currentTarget.value)} />
      )}
      {mayRemove && <Removing wasRemoved={wasRemoved} of={common.label} onChange={onChange} />}
    </Stack>
  );
}

function hintOf(stored: string | undefined): string {
  if (stored === undefined) return "";
  return stored === "set" ? "Stored; type to replace" : `Stored ${stored}; type to replace`;
}

function Removing({ wasRemoved, of, onChange }: Pick<Props, "wasRemoved" | "onChange"> & { of: string }) {
  return (
    <Text size="xs" c="dimmed" component="div">
      <Button
        variant="subtle"
        size="compact-xs"
        px={4}
        aria-label={wasRemoved ? `Keep the stored ${of}` : `Remove the stored ${of}`}
        onClick={() => onChange(wasRemoved ? "" : null)}
      >
        {wasRemoved ? "Keep it" : "Remove it"}
      </Button>
    </Text>
  );
}
