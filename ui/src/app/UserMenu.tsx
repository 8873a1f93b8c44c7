import {
  Avatar,
  Menu,
  Text,
  UnstyledButton,
  VisuallyHidden,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { IconAdjustments, IconLogout, IconMoon, IconSun } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useSession } from "@/session/session";
import { useSignOut } from "@/session/sign-out";

export function UserMenu() {
  const session = useSession();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme("light") === "dark";
  const name = session.name ?? session.email ?? session.actor;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton bdrs="xl">
          <Avatar name={name} color="tide" size={34} aria-hidden />
          <VisuallyHidden>{name}: account</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate>
            {name}
          </Text>
          {session.role} in {session.tenant}
        </Menu.Label>
        <Menu.Item component={Link} to="/settings/me" leftSection={<IconAdjustments size={16} />}>
          My preferences
        </Menu.Item>
        <Menu.Item
          leftSection={dark ? <IconSun size={16} /> : <IconMoon size={16} />}
          onClick={() => setColorScheme(dark ? "light" : "dark")}
        >
          {dark ? "Light" : "Dark"} colours
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          onClick={() => signOut.mutate(undefined, { onSuccess: () => void navigate({ to: "/sign-in" }) })}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
