import type { Import } from "@/features/people/schemas";

/** How far an import is, or what came of it. */
export function importInWords(one: Import): string {
  switch (one.status) {
    case "receiving":
      return `${count(one.rows, "row")} read so far${one.wrong === 0 ? "" : `, ${one.wrong.toLocaleString()} of them wrong`}`;
    case "applying":
      return one.dryRun
        ? `Looking what ${count(one.rows, "row")} would change`
        : `Applying ${count(one.rows, "row")}`;
    case "done":
      return totals(one);
    case "refused":
      return one.error ?? "Refused; nobody was changed.";
  }
}

function totals({ dryRun, created, updated }: Import): string {
  const [are, were] = dryRun ? ["would be created", "would be changed"] : ["created", "changed"];
  return `${people(created, "Nobody")} ${are}, ${people(updated, "nobody")} ${were}`;
}

function people(amount: number, none: string): string {
  return amount === 0 ? none : count(amount, "person", "people");
}

function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString()} ${amount === 1 ? one : many}`;
}

export function isRunning({ status }: Pick<Import, "status">): boolean {
  return status === "receiving" || status === "applying";
}

/** In per cent, as far as it can be known from the rows that the file seems to have. */
export function progressOf(one: Import | undefined, total: number): number {
  if (one === undefined || total === 0) return 0;
  return one.status === "receiving" ? Math.min(99, Math.round((one.rows / total) * 100)) : 100;
}
