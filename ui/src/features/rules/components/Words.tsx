import { Button, Menu, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconBraces } from "@tabler/icons-react";
import { useRef, type RefObject } from "react";
import type { KnownPath } from "@/features/rules/logic/paths";

interface Props {
  title: string;
  body: string;
  faults: { title: string | undefined; body: string | undefined };
  known: readonly KnownPath[];
  onChange: (words: { title?: string; body?: string }) => void;
}

/** Title and body, with the fact's values to put in. */
export function Words({ title, body, faults, known, onChange }: Props) {
  const titleField = useRef<HTMLInputElement>(null);
  const bodyField = useRef<HTMLTextAreaElement>(null);
  return (
    <Stack gap="sm">
      <div>
        <TextInput
          ref={titleField}
          label="Title"
          placeholder="Order {{ data.order_id }} is paid"
          value={title}
          onChange={(event) => onChange({ title: event.currentTarget.value })}
          error={faults.title}
        />
        <Insert
          into="title"
          known={known}
          onChosen={(text) => onChange({ title: inserted(titleField, title, text) })}
        />
      </div>
      <div>
        <Textarea
          ref={bodyField}
          label="Body"
          placeholder="{{ data.total | money('EUR') }}. Thank you."
          autosize
          minRows={3}
          maxRows={14}
          value={body}
          onChange={(event) => onChange({ body: event.currentTarget.value })}
          error={faults.body}
        />
        <Insert
          into="body"
          known={known}
          onChosen={(text) => onChange({ body: inserted(bodyField, body, text) })}
        />
      </div>
    </Stack>
  );
}

function Insert({
  into,
  known,
  onChosen,
}: {
  into: string;
  known: readonly KnownPath[];
  onChosen: (text: string) => void;
}) {
  if (known.length === 0) return null;
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Button size="compact-xs" variant="subtle" mt={4} leftSection={<IconBraces size={14} />}>
          Insert a value into the {into}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={280} style={{ overflowY: "auto" }}>
        {known.map(({ path, sample }) => (
          <Menu.Item
            key={path}
            onClick={() => onChosen(`{{ ${jinja(path)} }}`)}
            rightSection={
              <Text size="xs" c="dimmed" truncate maw={140}>
                {String(sample)}
              </Text>
            }
          >
            {path}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Where the cursor is, or at the end. */
function inserted(
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  words: string,
  text: string,
): string {
  const from = field.current?.selectionStart ?? words.length;
  const to = field.current?.selectionEnd ?? words.length;
  return words.slice(0, from) + text + words.slice(to);
}

/** `lines.0.sku` as a template reads it. */
export function jinja(path: string): string {
  return path.split(".").reduce((before, step) => {
    if (/^\d+$/.test(step)) return `${before}[${step}]`;
    return /^[A-Za-z_]\w*$/.test(step) ? `${before}.${step}` : `${before}[${JSON.stringify(step)}]`;
  }, "data");
}
