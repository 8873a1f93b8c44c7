import { Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { DeletePlace } from "@/features/reservations/components/DeletePlace";
import { PlaceButtons } from "@/features/reservations/components/PlaceButtons";
import { agencyDraft, type AgencyDraft } from "@/features/reservations/logic/places";
import { taken } from "@/features/reservations/logic/taken";
import { useDeleteAgency } from "@/features/reservations/operations/delete-agency";
import { useSaveAgency } from "@/features/reservations/operations/save-agency";
import type { Agency } from "@/features/reservations/schemas";
import { showRefusal } from "@/kit/refused";

interface Props {
  /** None: a new one. */
  agency?: Agency;
  onDone: () => void;
}

export function AgencyForm({ agency, onDone }: Props) {
  const save = useSaveAgency(agency?.id);
  const form = useForm<AgencyDraft>({
    initialValues: agencyDraft(agency),
    validate: { name: (name) => (name.trim() === "" ? "What is it called?" : null) },
  });
  const submit = (draft: AgencyDraft) =>
    save.mutate(draft, {
      onSuccess: onDone,
      onError: (error) => showRefusal(taken(error), form.setErrors),
    });
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput label="Name" required data-autofocus {...form.getInputProps("name")} />
        <TextInput
          label="External id"
          description="Your own id for it; made up where you leave it empty"
          {...form.getInputProps("externalId")}
        />
        <PlaceButtons isNew={agency === undefined} busy={save.isPending} onClose={onDone}>
          {agency !== undefined && <Delete agency={agency} onDone={onDone} />}
        </PlaceButtons>
      </Stack>
    </form>
  );
}

function Delete({ agency, onDone }: Required<Props>) {
  const remove = useDeleteAgency(agency.id);
  return <DeletePlace name={agency.name} remove={remove} onDone={onDone} />;
}
