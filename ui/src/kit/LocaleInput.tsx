import { Autocomplete, type AutocompleteProps } from "@mantine/core";
import { commonLocales, isLocale, localeInWords } from "@/kit/locales";

type Props = Omit<AutocompleteProps, "data" | "renderOption" | "filter">;

/** A language by its tag; the common ones to choose from. */
export function LocaleInput(props: Props) {
  const value = props.value ?? "";
  return (
    <Autocomplete
      {...props}
      data={commonLocales}
      renderOption={({ option }) => localeInWords(option.value)}
      filter={({ options, search }) =>
        options.filter((option) => "value" in option && matches(option.value, search))
      }
      error={value === "" || isLocale(value) ? undefined : "A language tag, such as it or pt-BR"}
    />
  );
}

function matches(locale: string, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return commonLocales.includes(search) || localeInWords(locale).toLowerCase().includes(wanted);
}
