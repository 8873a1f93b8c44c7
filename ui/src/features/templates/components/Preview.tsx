import { Button, Collapse, Group, Loader, Select, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { useEffect } from "react";
import { LocaleInput } from "@/kit/LocaleInput";
import { isLocale } from "@/kit/locales";
import { bodyOf, faultsIn } from "@/features/templates/logic/source";
import type { PartName, Source, TemplateKey } from "@/features/templates/schemas";
import { FactSelect } from "@/kit/choose/FactSelect";
import { JsonField } from "@/kit/JsonField";
import { MessagePreview } from "@/kit/message/MessagePreview";
import { useMessagePreview, type Wanted } from "@/kit/message/preview-message";
import { Panel } from "@/kit/Panel";
import { isStatus } from "@/kit/problem";
import { Failed } from "@/kit/states/Failed";
import { Loading } from "@/kit/states/Loading";
import { viewersZone } from "@/kit/time";
import { useSession } from "@/session/session";

const levels = ["info", "warning", "critical"] as const;
type Level = (typeof levels)[number];

const NOTICE = {
  title: "A sample title",
  body: "This is what a notice may say.",
  category: "general",
};

/** What the preview is filled with. */
export interface Sample {
  locale: string;
  factId: string | undefined;
  data: Record<string, unknown>;
  level: Level;
}

interface Props {
  id: TemplateKey;
  source: Source;
  sample: Sample;
  onSample: (sample: Sample) => void;
  onFaults: (faults: Partial<Record<PartName, string>>) => void;
}

const PAUSE = 350;

/** What one person would get, while it is written. What was good last stays while the source has a fault. */
export function Preview({ id, source, sample, onSample, onFaults }: Props) {
  const { tenant } = useSession();
  const [settled] = useDebouncedValue({ source, sample }, PAUSE);
  const { last, error, asking } = useMessagePreview(wantedOf(id, settled.source, settled.sample));
  useEffect(() => onFaults(faultsIn(error)), [error, onFaults]);
  const faulty = isStatus(error, 422);
  return (
    <Panel p="md">
      <Stack gap="sm">
        <Group gap={8}>
          <Title order={2} size="h5">
            Preview
          </Title>
          {asking && <Loader size={14} aria-label="Being rendered" />}
          {faulty && (
            <Text size="sm" c="var(--mantine-color-error)" role="status">
              The source has a fault{last === undefined ? "" : "; this is the last that had none"}.
            </Text>
          )}
        </Group>
        <Filling id={id} sample={sample} onSample={onSample} />
        {error !== null && !faulty && <Failed error={error} />}
        {last === undefined ? (
          error === null && <Loading rows={3} height={60} />
        ) : (
          <MessagePreview channel={id.channel} message={last} sender={tenant} />
        )}
      </Stack>
    </Panel>
  );
}

function wantedOf(id: TemplateKey, source: Source, { locale, factId, data, level }: Sample): Wanted {
  return {
    channel: id.channel,
    name: id.name,
    source: bodyOf(source),
    locale: isLocale(locale) ? locale : null,
    timezone: viewersZone(),
    factId: factId ?? null,
    data: Object.keys(data).length === 0 ? null : data,
    notice: { ...NOTICE, level },
  };
}

function Filling({ id, sample, onSample }: Pick<Props, "id" | "sample" | "onSample">) {
  const [opened, { toggle }] = useDisclosure();
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
        <FactSelect
          label="Filled with"
          placeholder="a sample"
          value={sample.factId ?? null}
          onChange={(fact) => onSample({ ...sample, factId: fact?.id, data: fact?.data ?? {} })}
        />
        <LocaleInput
          label="In language"
          placeholder="en"
          value={sample.locale}
          onChange={(locale) => onSample({ ...sample, locale })}
          disabled={id.locale !== ""}
        />
        <Select
          label="Of level"
          data={levels}
          value={sample.level}
          onChange={(level) => level !== null && onSample({ ...sample, level })}
          allowDeselect={false}
        />
      </SimpleGrid>
      <div>
        <Button size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={opened}>
          {opened ? "Hide the data" : "Edit the data"}
        </Button>
      </div>
      <Collapse expanded={opened}>
        <JsonField
          label="Data"
          description="What a fact would have brought"
          rows={7}
          value={sample.data}
          onChange={(data) => onSample({ ...sample, data })}
        />
      </Collapse>
    </Stack>
  );
}
