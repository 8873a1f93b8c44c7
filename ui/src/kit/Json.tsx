import { Code } from "@mantine/core";

/** A document, as it is. Scrolls within itself. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <Code block mah={360} tabIndex={0} role="region" aria-label={label}>
      {JSON.stringify(value, null, 2)}
    </Code>
  );
}
