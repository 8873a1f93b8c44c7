import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useMay } from "@/session/session";

/** For admins. */
export function NewOrganization() {
  if (!useMay("admin")) return null;
  return (
    <Button component={Link} to="/organizations/bootstrap" leftSection={<IconPlus size={16} />}>
      New organisation
    </Button>
  );
}
