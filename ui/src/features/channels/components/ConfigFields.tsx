import { NumberInput, Select, SimpleGrid, Switch, TextInput } from "@mantine/core";
import { SecretField } from "@/features/channels/components/SecretField";
import { described, inputWrapperOrder } from "@/features/channels/components/described";
import type { ConfigValue } from "@/features/channels/logic/draft";
import type { Faults } from "@/features/channels/logic/faults";
import type { ConfigField } from "@/features/channels/logic/fields";

interface Props {
  fields: readonly ConfigField[];
  values: Readonly<Record<string, ConfigValue>>;
  /** What is shown of secrets that are set: no more than their end. */
  stored: Readonly<Record<string, unknown>>;
  faults: Faults;
  onChange: (name: string, value: ConfigValue) => void;
}

/** What this type of provider has to be told, each by a control of its kind. */
export function ConfigFields({ fields, values, stored, faults, onChange }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          wasRemoved={values[field.name] === null}
          stored={stored[field.name]}
          error={faults[`config.${field.name}`]}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </SimpleGrid>
  );
}

interface FieldProps {
  field: ConfigField;
  value: string | number | boolean;
  wasRemoved: boolean;
  stored: unknown;
  error: string | undefined;
  onChange: (value: ConfigValue) => void;
}

function OneField({ field, value, wasRemoved, stored, error, onChange }: FieldProps) {
  const { label, required } = field;
  const common = { label, required, error, description: described(field.description), inputWrapperOrder };
  switch (field.kind) {
    case "secret":
      return (
        <SecretField
          {...common}
          isDocument={field.isDocument}
          value={String(value)}
          stored={typeof stored === "string" ? stored : undefined}
          wasRemoved={wasRemoved}
          onChange={onChange}
        />
      );
    case "choice":
      return (
        <Select
          {...common}
          data={field.options}
          value={String(value)}
          allowDeselect={false}
          onChange={(chosen) => chosen !== null && onChange(chosen)}
        />
      );
    case "flag":
      return (
        <Switch
          mt={{ base: 0, sm: 26 }}
          label={label}
          description={common.description}
          error={error}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "number":
      return (
        <NumberInput
          {...common}
          allowDecimal={false}
          {...(field.min === undefined ? {} : { min: field.min })}
          {...(field.max === undefined ? {} : { max: field.max })}
          value={typeof value === "number" ? value : ""}
          onChange={(written) => onChange(typeof written === "number" ? written : "")}
        />
      );
    case "text":
      return (
        <TextInput
          {...common}
          placeholder={field.initial}
          value={String(value)}
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
