import { List, Loader, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Times } from "@/features/reports/components/Times";
import type { PreviewBody } from "@/features/reports/logic/draft";
import { noteInWords } from "@/features/reports/logic/words";
import { useSchedulePreview } from "@/features/reports/operations/preview-schedule";
import { refusedIn } from "@/kit/refused";
import { isStatus } from "@/kit/problem";
import { Failed } from "@/kit/states/Failed";
import { Section } from "@/kit/Section";
import { warningWords } from "@/kit/theme";

const PAUSE = 300;

/** When it would run, as the server says; null while that cannot be said. */
export function NextRuns({ timing }: { timing: PreviewBody | null }) {
  const [settled] = useDebouncedValue(timing === null ? null : JSON.stringify(timing), PAUSE);
  const asked = settled === null ? null : (JSON.parse(settled) as PreviewBody);
  const { data, error, isFetching, isPlaceholderData } = useSchedulePreview(asked);
  const unsaid = timing === null || isStatus(error, 422);
  return (
    <Section
      title="The next five runs"
      about="Nothing is saved yet."
      action={isFetching && <Loader size={14} aria-label="Being asked" />}
    >
      <div role="status">
        {unsaid ? (
          <Text size="sm" c="dimmed">
            {Object.values(refusedIn(error))[0] ?? "They appear here as soon as the fields say when."}
          </Text>
        ) : error !== null ? (
          <Failed error={error} />
        ) : (
          data !== undefined && (
            <List
              type="ordered"
              size="sm"
              spacing="xs"
              aria-label="The next five runs"
              opacity={isPlaceholderData ? 0.6 : 1}
            >
              {data.map(({ runAt, note }) => (
                <List.Item key={runAt}>
                  <Stack gap={0}>
                    <Times at={runAt} zone={asked?.timezone ?? "UTC"} />
                    {note !== null && (
                      <Text size="xs" c={warningWords}>
                        {noteInWords(note)}
                      </Text>
                    )}
                  </Stack>
                </List.Item>
              ))}
            </List>
          )
        )}
        {!unsaid && data?.length === 0 && <Text size="sm">It would never run.</Text>}
      </div>
    </Section>
  );
}
