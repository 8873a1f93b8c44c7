import { Button, Group, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { kindOptions, kindWords } from "@/features/people/logic/kinds";
import { useAddAddress } from "@/features/people/operations/add-address";
import type { Address, Kind } from "@/features/people/schemas";
import { showRefusal } from "@/kit/refused";
import { tellDone } from "@/kit/tell";

interface Props {
  personId: string;
  onAdded: (address: Address) => void;
}

/** One more address; what is wrong with it stands at its field. */
export function AddAddress({ personId, onAdded }: Props) {
  const add = useAddAddress(personId);
  const [kind, setKind] = useState<Kind>("email");
  const [value, setValue] = useState("");
  const [fault, setFault] = useState<string>();
  const { example, about, label } = kindWords[kind];
  const submit = () =>
    add.mutate(
      { kind, value: value.trim() },
      {
        onSuccess: (address) => {
          setValue("");
          tellDone(`${label} added.`);
          onAdded(address);
        },
        onError: (error) => showRefusal(error, (faults) => setFault(faults["value"])),
      },
    );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (value.trim() === "") setFault("Write an address first.");
        else submit();
      }}
    >
      <Group gap="xs" align="flex-start">
        <Select
          label="Kind"
          data={kindOptions}
          value={kind}
          allowDeselect={false}
          onChange={(chosen) => {
            if (chosen !== null) setKind(chosen);
            setFault(undefined);
          }}
          w={{ base: "100%", xs: 150 }}
        />
        <TextInput
          label="Address"
          placeholder={example}
          description={about}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={value}
          onChange={(event) => {
            setValue(event.currentTarget.value);
            setFault(undefined);
          }}
          error={fault}
          flex={1}
          miw={200}
        />
        <Button type="submit" variant="default" mt={25} loading={add.isPending}>
          Add
        </Button>
      </Group>
    </form>
  );
}
