import { Button, Group, Stack } from "@mantine/core";
import { useState, type SyntheticEvent } from "react";
import { z } from "zod";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { LocaleInput } from "@/kit/LocaleInput";
import { isLocale, localeInWords } from "@/kit/locales";
import { QuietHoursInput } from "@/kit/preferences/QuietHoursInput";
import { quietHoursSchema } from "@/kit/preferences/schemas";
import { TimezoneSelect } from "@/kit/TimezoneSelect";

export const personalSchema = z.object({
  locale: z
    .string()
    .nullable()
    .refine((locale) => locale === null || isLocale(locale)),
  timezone: z.string().nullable(),
  quietHours: quietHoursSchema.nullable(),
});
export type Personal = z.infer<typeof personalSchema>;

interface Props {
  value: Personal;
  /** For `PATCH /v1/people/me` or `…/{id}`. What is refused stays in the form: reject. */
  onSave: (value: Personal) => Promise<unknown>;
  saving: boolean;
}

/** In which language somebody is told, by which clock, and when not. */
export function PersonalForm({ value, onSave, saving }: Props) {
  const [draft, setDraft] = useState<Partial<Personal>>({});
  const wanted = { ...value, ...draft };
  const change = (part: Partial<Personal>) => setDraft({ ...draft, ...part });
  const changed = JSON.stringify(wanted) !== JSON.stringify(value);
  const valid = personalSchema.safeParse(wanted).success;
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    onSave(wanted).then(
      () => setDraft({}),
      () => undefined, // whoever saves has told it
    );
  };
  return (
    <form noValidate onSubmit={save}>
      <LeaveGuard unsaved={changed} />
      <Stack>
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <LocaleInput
            label="Language"
            description={`${wanted.locale === null ? "" : `${localeInWords(wanted.locale)}. `}Texts come in it, where there are any.`}
            placeholder="None"
            clearable
            value={wanted.locale ?? ""}
            onChange={(text) => change({ locale: text === "" ? null : text })}
            miw={220}
          />
          <TimezoneSelect
            label="Timezone"
            description="Times are told by it, and quiet hours kept."
            placeholder="None"
            clearable
            value={wanted.timezone}
            onChange={(timezone) => change({ timezone })}
            miw={220}
          />
        </Group>
        <QuietHoursInput
          value={wanted.quietHours}
          timezone={wanted.timezone}
          onChange={(quietHours) => change({ quietHours })}
        />
        <Group justify="flex-end">
          {changed && (
            <Button variant="default" onClick={() => setDraft({})} disabled={saving}>
              Undo
            </Button>
          )}
          <Button type="submit" disabled={!changed || !valid} loading={saving}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
