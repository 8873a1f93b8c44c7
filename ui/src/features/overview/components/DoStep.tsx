import { Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useBegin } from "@/features/overview/operations/begin";
import { useMay } from "@/session/session";

interface DoProps {
  what: "fact" | "person" | "rule";
  deed: string;
  /** Where one does it by oneself. */
  elsewhere?: string;
}

/** One press does it with an example; or one does it oneself. */
export function DoStep({ what, deed, elsewhere }: DoProps) {
  const begin = useBegin();
  const may = useMay("admin");
  return (
    <Group gap="xs" py="xs">
      {may && (
        <Button size="xs" loading={begin.isPending} onClick={() => begin.mutate(what)}>
          {deed}
        </Button>
      )}
      {elsewhere !== undefined && (
        <Button size="xs" variant="default" component={Link} to={elsewhere}>
          {elsewhere === "/sandbox" ? "Open the sandbox" : "Do it yourself"}
        </Button>
      )}
    </Group>
  );
}
