import { NavLink, Stack, Text } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { useLinks } from "@/app/features";
import type { PageLink } from "@/kit/routing";

const SECTIONS: readonly PageLink["section"][] = ["watch", "work", "set up", "settings"];

export function Navigation() {
  const { pathname } = useLocation();
  const links = useLinks();
  return (
    <Stack gap="md" py="xs">
      {SECTIONS.map((section) => (
        <Section
          key={section}
          title={section}
          links={links.filter((link) => link.section === section)}
          pathname={pathname}
        />
      ))}
    </Stack>
  );
}

function Section({
  title,
  links,
  pathname,
}: {
  title: string;
  links: readonly PageLink[];
  pathname: string;
}) {
  if (links.length === 0) return null;
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed" fw={600} tt="uppercase" px="xs" pb={2}>
        {title}
      </Text>
      {links.map(({ to, also = [], label, icon: Sign }) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={label}
          leftSection={<Sign size={18} stroke={1.6} />}
          active={[to, ...also].some((place) => isAt(place, pathname))}
          variant="light"
          bdrs="md"
        />
      ))}
    </Stack>
  );
}

function isAt(place: string, pathname: string): boolean {
  return place === "/" ? pathname === "/" : pathname.startsWith(place);
}
