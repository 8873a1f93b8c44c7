import type { ReactNode } from "react";
import classes from "@/kit/Rows.module.css";

/** Things below each other, their parts in columns; on a phone the parts stand below each other, too. */
export function Rows({ label, columns, deeds = "0", children }: RowsProps) {
  return (
    <ul
      className={classes.rows}
      aria-label={label}
      style={{ "--columns": columns, "--deeds": deeds } as never}
    >
      {children}
    </ul>
  );
}

export function Row({ faint = false, deeds, children }: RowProps) {
  return (
    <li className={classes.row} data-faint={faint || undefined}>
      <div className={classes.parts}>{children}</div>
      <div className={classes.deeds}>{deeds}</div>
    </li>
  );
}

interface RowsProps {
  label: string;
  /** Of a grid. */
  columns: string;
  /** How wide what can be done is at least, where not every row has it. */
  deeds?: string;
  children: ReactNode;
}

interface RowProps {
  /** What is over, and kept to be looked at. */
  faint?: boolean;
  /** What can be done with it, at the end of the row. */
  deeds?: ReactNode;
  children: ReactNode;
}
