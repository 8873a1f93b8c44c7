import { ActionIcon, Group, Kbd, Text, UnstyledButton } from "@mantine/core";
import { Spotlight, openSpotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useLinks } from "@/app/features";
import classes from "@/app/Palette.module.css";

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Every page by a few letters, and anything by its id. */
export function Palette() {
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  const wanted = query.trim();
  const pages = useLinks()
    .filter((link) => `${link.label} ${link.keywords}`.toLowerCase().includes(wanted.toLowerCase()))
    .map(({ to, label, icon: Sign }) => ({
      id: to,
      label,
      leftSection: <Sign size={18} stroke={1.6} />,
      onClick: () => void navigate({ to }),
    }));
  const ids = ID.test(wanted)
    ? [
        {
          id: "trace",
          label: `Trace of ${wanted}`,
          onClick: () => void navigate({ to: `/activity/${wanted}` }),
        },
      ]
    : [];
  return (
    <Spotlight
      actions={[...ids, ...pages]}
      query={query}
      onQueryChange={setQuery}
      filter={(_, actions) => actions}
      nothingFound="Nothing by that name. Pages are found by their name, facts by their id."
      shortcut={["mod + K", "/"]}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: "Go to a page, or paste an id",
        "aria-label": "Search",
      }}
    />
  );
}

export function PaletteButton() {
  return (
    <>
      <UnstyledButton className={classes.button} onClick={openSpotlight} visibleFrom="xs">
        <Group gap="xs" wrap="nowrap">
          <IconSearch size={16} aria-hidden />
          <Text size="sm" c="dimmed">
            Search
          </Text>
          <Kbd size="xs">Ctrl K</Kbd>
        </Group>
      </UnstyledButton>
      <ActionIcon
        hiddenFrom="xs"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Search"
        onClick={openSpotlight}
      >
        <IconSearch size={18} />
      </ActionIcon>
    </>
  );
}
