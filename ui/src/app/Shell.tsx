import { AppShell, Burger, Center, Group, Loader, ScrollArea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { Bell } from "@/app/Bell";
import { Connection } from "@/app/Connection";
import { LiveProvider } from "@/app/LiveProvider";
import { Navigation } from "@/app/Navigation";
import { Palette, PaletteButton } from "@/app/Palette";
import { TenantSwitch } from "@/app/TenantSwitch";
import { UserMenu } from "@/app/UserMenu";
import { Mark } from "@/kit/Mark";
import { isStatus } from "@/kit/problem";
import { Failed } from "@/kit/states/Failed";
import { SessionContext, useSessionQuery } from "@/session/session";

/** The house: who is not signed in is led to the door, everybody else finds the same walls on every page. */
export function Shell() {
  const session = useSessionQuery();
  if (session.data !== undefined) {
    return (
      <SessionContext value={session.data}>
        <LiveProvider key={`${session.data.tenant} ${session.data.personId ?? ""}`}>
          <House />
        </LiveProvider>
      </SessionContext>
    );
  }
  if (isStatus(session.error, 401)) return <ToTheDoor />;
  return (
    <Center mih="100dvh" p="md">
      {session.error === null ? (
        <Loader />
      ) : (
        <Failed error={session.error} onRetry={() => void session.refetch()} />
      )}
    </Center>
  );
}

/** Once, with the address that one was going to. */
function ToTheDoor() {
  const navigate = useNavigate();
  const router = useRouter();
  useEffect(() => {
    void navigate({ to: "/sign-in", search: { to: router.state.location.href }, replace: true });
  }, [navigate, router]);
  return null;
}

function House() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);
  return (
    <AppShell
      layout="alt"
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding={{ base: "md", md: "lg" }}
    >
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <PaletteButton />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Connection />
            <Bell />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Pages">
        <AppShell.Section p="md" h={56}>
          <Group justify="space-between">
            <Mark />
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Close navigation"
            />
          </Group>
        </AppShell.Section>
        <AppShell.Section px="md" pb="xs">
          <TenantSwitch />
        </AppShell.Section>
        <AppShell.Section grow component={ScrollArea} px="sm">
          <Navigation />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
      <Palette />
    </AppShell>
  );
}
