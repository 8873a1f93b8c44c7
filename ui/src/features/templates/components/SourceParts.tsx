import { Stack, Text } from "@mantine/core";
import { partsOf } from "@/features/templates/logic/source";
import type { PartName, Source } from "@/features/templates/schemas";
import type { Channel } from "@/kit/channels";
import { Panel } from "@/kit/Panel";
import { SourceEditor } from "@/kit/SourceEditor";

interface Props {
  channel: Channel;
  source: Source;
  faults: Partial<Record<PartName, string>>;
  onChange: (part: Partial<Source>) => void;
}

const ABOUT_MAIL: Record<PartName, [label: string, description: string, rows: number]> = {
  subject: ["Subject", "One line", 1],
  markup: ["Markup", "MJML, with Jinja in it", 22],
  text: ["Plain text", "For readers without HTML; left empty, it is made from the markup", 7],
};
const ABOUT: Record<PartName, [label: string, description: string, rows: number]> = {
  ...ABOUT_MAIL,
  subject: ["Title", "One line; may be left empty", 1],
  text: ["Text", "Jinja", 10],
};

/** The source, part by part, each with its faults at their lines. */
export function SourceParts({ channel, source, faults, onChange }: Props) {
  const about = channel === "email" ? ABOUT_MAIL : ABOUT;
  return (
    <Panel p="md">
      <Stack gap="md">
        {partsOf(channel).map((part) => {
          const [label, description, rows] = about[part];
          return (
            <SourceEditor
              key={part}
              label={label}
              description={description}
              rows={rows}
              value={source[part]}
              error={faults[part]}
              onChange={(text) => onChange({ [part]: text })}
            />
          );
        })}
        <Text size="xs" c="dimmed">
          A template knows <code>notice.title</code>, <code>notice.body</code>, <code>notice.level</code>,{" "}
          <code>person.name</code>, <code>tenant.name</code>, the fact&apos;s <code>data</code>,{" "}
          <code>fact.type</code>, <code>words</code> in the reader&apos;s language, and{" "}
          <code>unsubscribe_url</code>.
        </Text>
      </Stack>
    </Panel>
  );
}
