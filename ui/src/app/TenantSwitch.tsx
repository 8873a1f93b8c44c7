import { Button, Menu, Text } from "@mantine/core";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useChangeTenant } from "@/session/change-tenant";
import { useSession } from "@/session/session";

/** Whose house this is; for who has several, the way to the others. */
export function TenantSwitch() {
  const session = useSession();
  const navigate = useNavigate();
  const change = useChangeTenant(() => void navigate({ to: "/" }));
  const here = session.tenants.find((tenant) => tenant.id === session.tenant);
  const name = here?.name ?? session.tenant;
  if (session.tenants.length < 2) {
    return (
      <Text size="sm" c="dimmed" truncate px="xs">
        {name}
      </Text>
    );
  }
  return (
    <Menu width={240} position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          size="xs"
          loading={change.isPending}
          rightSection={<IconSelector size={16} />}
          aria-label={`Tenant: ${name}`}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} className="scrolls">
        {session.tenants.map((tenant) => (
          <Menu.Item
            key={tenant.id}
            rightSection={
              tenant.id === session.tenant && <IconCheck size={16} aria-label="the present one" />
            }
            onClick={() => change.mutate(tenant.id)}
          >
            {tenant.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
