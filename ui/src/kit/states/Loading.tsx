import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";

/** The shape of what is coming. */
export function Loading({ rows = 6, height = 44 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs" aria-busy>
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  );
}
