import { Button, Group, Stack } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { z } from "zod";
import { LeaveGuard } from "@/kit/LeaveGuard";
import { LocaleInput } from "@/kit/LocaleInput";
import { isLocale } from "@/kit/locales";
import { QuietHoursInput } from "@/kit/preferences/QuietHoursInput";
import { quietHoursSchema } from "@/kit/preferences/schemas";
import { TimezoneSelect } from "@/kit/TimezoneSelect";

export const personalSchema = z.object({
  locale: z
    .string()
    .nullable()
    .refine((locale) => locale === null || isLocale(locale), "A language tag, such as it or pt-BR."),
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

/** In which language somebody is told, by which clock, and when not. Remount it (`key`) for another person. */
export function PersonalForm({ value, onSave, saving }: Props) {
  const form = useForm<Personal>({
    initialValues: value,
    validate: schemaResolver(personalSchema, { sync: true }),
  });
  const { locale, timezone, quietHours } = form.values;
  const save = (wanted: Personal) =>
    onSave(wanted).then(
      () => form.resetDirty(wanted),
      () => undefined, // whoever saves has told it
    );
  return (
    <form noValidate onSubmit={form.onSubmit((wanted) => void save(wanted))}>
      <LeaveGuard unsaved={form.isDirty()} />
      <Stack>
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <LocaleInput
            label="Language"
            description="Texts are taken in it, where there are any."
            placeholder="The tenant's"
            clearable
            value={locale ?? ""}
            onChange={(text) => form.setFieldValue("locale", text === "" ? null : text)}
            miw={220}
          />
          <TimezoneSelect
            label="Timezone"
            description="Times are told by it, and quiet hours kept."
            placeholder="None"
            clearable
            value={timezone}
            onChange={(zone) => form.setFieldValue("timezone", zone)}
            miw={220}
          />
        </Group>
        <QuietHoursInput
          value={quietHours}
          timezone={timezone}
          onChange={(hours) => form.setFieldValue("quietHours", hours)}
        />
        <Group justify="flex-end">
          {form.isDirty() && (
            <Button variant="default" onClick={form.reset} disabled={saving}>
              Undo
            </Button>
          )}
          <Button type="submit" disabled={!form.isDirty()} loading={saving}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
