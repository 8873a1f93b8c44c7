import { Paper, type PaperProps } from "@mantine/core";
import type { ReactNode } from "react";

/** The ground that content stands on. */
export function Panel({ children, ...rest }: PaperProps & { children: ReactNode }) {
  return (
    <Paper withBorder bg="var(--panel-background)" {...rest}>
      {children}
    </Paper>
  );
}
