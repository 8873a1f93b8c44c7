import { Select, type SelectProps } from "@mantine/core";
import { useRecentFacts, type Fact } from "@/kit/choose/recent-facts";
import { briefly } from "@/kit/time";

type Props = Omit<SelectProps, "data" | "onChange"> & {
  type?: string;
  onChange: (fact: Fact | undefined) => void;
};

/** One of the newest facts. */
export function FactSelect({ type, onChange, ...rest }: Props) {
  const facts = useRecentFacts(type);
  return (
    <Select
      {...rest}
      searchable
      clearable
      data={(facts.data ?? []).map((fact) => ({
        value: fact.id,
        label: `${fact.type}, ${briefly(fact.occurredAt)}`,
      }))}
      nothingFoundMessage="No such fact among the newest"
      onChange={(id) => onChange(facts.data?.find((fact) => fact.id === id))}
    />
  );
}
