import { Anchor, MultiSelect, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { placesToChoose, reachesSomething } from "@/features/events/logic/choice";
import { useMyIntegrations } from "@/features/events/operations/list-my-integrations";
import { warningWords } from "@/kit/theme";

interface Props {
  value: string[];
  error: string | undefined;
  onChange: (places: string[]) => void;
}

/** Where to hear of the event: integrations by name or by tag; none means one's own channels. */
export function PlacesField({ value, error, onChange }: Props) {
  const integrations = useMyIntegrations();
  const mine = integrations.data ?? [];
  const hasNone = integrations.data?.length === 0 && value.length === 0;
  return (
    <Stack gap={4}>
      <MultiSelect
        label="Where"
        description="Some of your integrations, or all with a tag. None: your own channels, as you prefer them."
        placeholder={value.length === 0 ? "Your own channels" : ""}
        searchable
        clearable
        disabled={hasNone}
        data={placesToChoose(mine, value)}
        value={value}
        error={error}
        onChange={onChange}
        nothingFoundMessage="No integration or tag of that name"
      />
      {integrations.data !== undefined && !reachesSomething(mine, value) && (
        <Text size="sm" c={warningWords} role="status">
          Nothing of this is turned on: you would hear of the event nowhere.
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {hasNone && "You have no integrations yet. "}
        <Anchor component={Link} to="/integrations" size="xs" underline="always">
          My integrations
        </Anchor>
      </Text>
    </Stack>
  );
}
