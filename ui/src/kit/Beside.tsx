import type { ReactNode } from "react";
import classes from "@/kit/Beside.module.css";

/** Stays in view beside what is longer than the page; on a narrow screen it stands below. */
export function Beside({ children }: { children: ReactNode }) {
  return <div className={classes.beside}>{children}</div>;
}
