import type { Happened, Heard, History, Notice } from "@/features/reservations/schemas";

/** A fact, with those who heard of it and what each of them said; and what was said by others because of it. */
export interface Told {
  fact: Happened;
  heard: readonly (Heard & { notices: readonly Notice[] })[];
  besides: readonly Notice[];
}

const FIRST = [
  "reservations.restaurant",
  "reservations.admin",
  "reservations.customer",
  "reservations.agency",
];

/** Level by level: facts, who heard of them, what they said. */
export function toldOf({ facts, notices }: History): Told[] {
  return facts.map((fact) => {
    const said = notices.filter(({ factId }) => factId === fact.factId).reverse();
    const heard = inOrder(fact.heardBy).map((each) => ({
      ...each,
      notices: said.filter(({ listener }) => isOf(listener, each.listener)),
    }));
    const theirs = new Set(heard.flatMap((each) => each.notices));
    return { fact, heard, besides: said.filter((notice) => !theirs.has(notice)) };
  });
}

/** An escalation is of the listener whose notice it is: `listener#0/escalation`. */
function isOf(notice: string, listener: string): boolean {
  return notice === listener || notice.startsWith(`${listener}#`);
}

function inOrder(heard: readonly Heard[]): Heard[] {
  const place = ({ listener }: Heard) => (FIRST.includes(listener) ? FIRST.indexOf(listener) : FIRST.length);
  return [...heard].sort((a, b) => place(a) - place(b));
}
