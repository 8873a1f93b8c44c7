import { NumberInput, SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { DeletePlace } from "@/features/reservations/components/DeletePlace";
import { PlaceButtons } from "@/features/reservations/components/PlaceButtons";
import {
  minutesFault,
  restaurantDraft,
  timesFault,
  type RestaurantDraft,
} from "@/features/reservations/logic/places";
import { taken } from "@/features/reservations/logic/taken";
import { useDeleteRestaurant } from "@/features/reservations/operations/delete-restaurant";
import { useSaveRestaurant } from "@/features/reservations/operations/save-restaurant";
import type { Restaurant } from "@/features/reservations/schemas";
import { isLocale } from "@/kit/locales";
import { LocaleInput } from "@/kit/LocaleInput";
import { showRefusal } from "@/kit/refused";
import { viewersZone } from "@/kit/time";
import { TimezoneSelect } from "@/kit/TimezoneSelect";

interface Props {
  /** None: a new one. */
  restaurant?: Restaurant;
  onDone: () => void;
}

export function RestaurantForm({ restaurant, onDone }: Props) {
  const save = useSaveRestaurant(restaurant?.id);
  const form = useForm<RestaurantDraft>({
    initialValues: restaurantDraft(restaurant, viewersZone()),
    validate: {
      name: (name) => (name.trim() === "" ? "What is it called?" : null),
      locale: (locale) => (locale === "" || isLocale(locale) ? null : "A language tag, such as it or pt-BR."),
      minutes: (_, draft) => minutesFault(draft),
      times: (_, draft) => timesFault(draft),
    },
  });
  const submit = (draft: RestaurantDraft) =>
    save.mutate(draft, {
      onSuccess: onDone,
      onError: (error) => showRefusal(taken(error), (faults) => form.setErrors(asFields(faults))),
    });
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput label="Name" required data-autofocus {...form.getInputProps("name")} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TimezoneSelect
            label="Timezone"
            description="Times are by its clocks"
            required
            allowDeselect={false}
            value={form.values.timezone}
            error={form.errors["timezone"]}
            onChange={(zone) => form.setFieldValue("timezone", zone ?? form.values.timezone)}
          />
          <LocaleInput
            label="Language"
            description="In which its staff are told"
            placeholder="English"
            {...form.getInputProps("locale")}
          />
        </SimpleGrid>
        <TextInput
          label="External id"
          description="Your own id for it; made up where you leave it empty"
          {...form.getInputProps("externalId")}
        />
        <Switch
          label="Tell admins where nobody acts on a request"
          {...form.getInputProps("escalates", { type: "checkbox" })}
        />
        {form.values.escalates && (
          <SimpleGrid cols={2}>
            <NumberInput
              label="After minutes"
              min={1}
              allowDecimal={false}
              clampBehavior="none"
              {...form.getInputProps("minutes")}
            />
            <NumberInput
              label="How often at most"
              min={1}
              allowDecimal={false}
              clampBehavior="none"
              {...form.getInputProps("times")}
            />
          </SimpleGrid>
        )}
        <PlaceButtons isNew={restaurant === undefined} busy={save.isPending} onClose={onDone}>
          {restaurant !== undefined && <Delete restaurant={restaurant} onDone={onDone} />}
        </PlaceButtons>
      </Stack>
    </form>
  );
}

function Delete({ restaurant, onDone }: Required<Props>) {
  const remove = useDeleteRestaurant(restaurant.id);
  return <DeletePlace name={restaurant.name} remove={remove} onDone={onDone} />;
}

/** The API's names of what is asked for in other words here. */
function asFields({ escalateAfterMinutes, escalateTimes, ...rest }: Record<string, string>) {
  return {
    ...rest,
    ...(escalateAfterMinutes === undefined ? {} : { minutes: escalateAfterMinutes }),
    ...(escalateTimes === undefined ? {} : { times: escalateTimes }),
  };
}
