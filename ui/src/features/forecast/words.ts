import type { Coming, What } from "@/features/forecast/schemas";

const KINDS: Record<string, string> = {
  "notice.rules": "facts to tell",
  "notice.prepare": "facts to tell",
  "notice.fan_out": "delayed notices",
};

/** What will go out, as people call it: a channel, or the kind of an intent. */
export function kindWord(name: string): string {
  return KINDS[name] ?? (name.startsWith("notice.listener.") ? "facts to tell" : name);
}

export function headline({ title, factType, name }: Coming): string {
  return title ?? factType ?? kindWord(name);
}

/** To whom, or to how many, and why it waits. */
export function sideline(it: Coming): string {
  const whom = it.people === null ? it.personName : reach(it.people, it.peopleCapped);
  const kind = kindWord(it.name);
  const how = it.what === "delivery" ? `by ${it.name}` : kind === headline(it) ? "intent" : kind;
  const again = it.status === "failed" ? "tried again" : null;
  return [whom === null ? null : `to ${whom}`, how, again].filter((part) => part !== null).join(" · ");
}

function reach(people: number, capped: boolean): string {
  const count = people === 1 ? "1 person" : `${people.toLocaleString()} people`;
  return capped ? `more than ${count}` : count;
}

export function whereTo({ what, id }: { what: What; id: string }): string {
  return what === "delivery" ? `/activity/deliveries?delivery=${id}` : `/outbox?intent=${id}`;
}

const long = new Intl.DateTimeFormat(undefined, {
  weekday: "long",
  day: "numeric",
  month: "long",
  timeZone: "UTC",
});
const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** "Monday 16 November". A date is no moment: no clock has a say in it. */
export function dayName(date: string): string {
  return long.format(new Date(date));
}

export function dayNumber(date: string, first: boolean): string {
  return first || date.endsWith("-01") ? short.format(new Date(date)) : String(Number(date.slice(8)));
}
