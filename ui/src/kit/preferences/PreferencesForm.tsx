import { Button, Group, Stack, Text, useMantineTheme } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { channels, type Channel } from "@/kit/channels";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { EVERY, marked, matrixOf, rowsOf, sameMatrix, saidIn, type Matrix } from "@/kit/preferences/matrix";
import { PreferenceCards } from "@/kit/preferences/PreferenceCards";
import { PreferenceTable } from "@/kit/preferences/PreferenceTable";
import type { Category, Preference } from "@/kit/preferences/schemas";

interface Props {
  /** What is kept: of `GET …/preferences`. */
  value: readonly Preference[];
  /** Of `useCategories()`. */
  categories: readonly Category[];
  /** Where the person can be reached, `reachedBy(person.addresses)`: the others are shown on demand. */
  reached: readonly Channel[];
  /** All that is wanted from now on, for `PUT …/preferences`. What is refused stays in the form: reject. */
  onSave: (preferences: Preference[]) => Promise<unknown>;
  saving: boolean;
}

/** What somebody wants to hear, and where; their own, or for an admin another's. A matrix, and cards on a phone. */
export function PreferencesForm({ value, categories, reached, onSave, saving }: Props) {
  const narrow = useMediaQuery(`(max-width: ${useMantineTheme().breakpoints.sm})`, false);
  const [draft, setDraft] = useState<Matrix>();
  const [all, setAll] = useState(false);
  const rows = rowsOf(categories, value);
  const kept = matrixOf(value, rows);
  const matrix = { ...kept, ...draft };
  const changed = !sameMatrix(matrix, kept);
  const shown = all ? channels : channels.filter((channel) => reached.includes(channel));
  const Grid = narrow ? PreferenceCards : PreferenceTable;
  const save = () =>
    onSave(saidIn(matrix, rows)).then(
      () => setDraft(undefined),
      () => undefined, // whoever saves has told it; what was marked stays
    );

  return (
    <Stack gap="sm">
      <LeaveGuard unsaved={changed} />
      <Grid
        rows={[EVERYTHING, ...rows]}
        channels={shown}
        matrix={matrix}
        onMark={(at, wanted) => setDraft(marked(matrix, rows, at, wanted))}
      />
      <Group justify="space-between" gap="sm">
        {reached.length < channels.length && (
          <Button variant="subtle" size="compact-sm" onClick={() => setAll(!all)} aria-expanded={all}>
            {all ? "Only where there is an address" : "All channels"}
          </Button>
        )}
        <Group gap="sm" ml="auto">
          {changed && (
            <>
              <Text size="sm" c="dimmed" role="status">
                Not saved yet
              </Text>
              <Button variant="default" onClick={() => setDraft(undefined)} disabled={saving}>
                Undo
              </Button>
            </>
          )}
          <Button onClick={() => void save()} disabled={!changed} loading={saving}>
            Save preferences
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

const EVERYTHING: Category = {
  id: EVERY,
  name: "Everything",
  description: "Sets all of them at once, and counts for what has no category.",
  required: false,
};
