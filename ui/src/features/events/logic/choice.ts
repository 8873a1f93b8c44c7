import { inOrder } from "@/features/events/logic/offsets";
import type { Integration, Subscription } from "@/features/events/schemas";

/** When and where a subscriber wants to hear of an event. A place is `integration:…` or `tag:…`. */
export interface Choice {
  offsets: number[];
  places: string[];
}

const INTEGRATION = "integration:";
const TAG = "tag:";

export function choiceOf({ reminderOffsets, selectors }: Subscription): Choice {
  return {
    offsets: inOrder(reminderOffsets),
    places: selectors.map(({ integrationId, tag }) =>
      integrationId === null ? `${TAG}${tag ?? ""}` : `${INTEGRATION}${integrationId}`,
    ),
  };
}

/** As the API takes them. */
export function selectorsOf(places: readonly string[]): ({ integrationId: string } | { tag: string })[] {
  return places.map((place) =>
    place.startsWith(INTEGRATION)
      ? { integrationId: place.slice(INTEGRATION.length) }
      : { tag: place.slice(TAG.length) },
  );
}

export function isSame(one: Choice, other: Choice): boolean {
  const plain = ({ offsets, places }: Choice) => JSON.stringify([inOrder(offsets), [...places].sort()]);
  return plain(one) === plain(other);
}

interface Group {
  group: string;
  items: { value: string; label: string }[];
}

/** All that can be chosen; what was chosen and is not there any more says so. */
export function placesToChoose(integrations: readonly Integration[], chosen: readonly string[]): Group[] {
  const byId = integrations.map(({ id, name, active }) => ({
    value: `${INTEGRATION}${id}`,
    label: active ? name : `${name} (turned off)`,
  }));
  const tags = [...new Set(integrations.flatMap((integration) => integration.tags))].sort();
  const byTag = tags.map((tag) => ({ value: `${TAG}${tag}`, label: `all tagged “${tag}”` }));
  const known = new Set([...byId, ...byTag].map(({ value }) => value));
  const gone = chosen
    .filter((place) => !known.has(place))
    .map((place) => ({
      value: place,
      label: place.startsWith(TAG)
        ? `“${place.slice(TAG.length)}” (no integration has it)`
        : "one that was removed",
    }));
  return [
    { group: "Integrations", items: byId },
    { group: "Tags", items: byTag },
    { group: "Not there any more", items: gone },
  ].filter(({ items }) => items.length > 0);
}

/** Whether anything active is chosen: if not, one hears of the event nowhere but in the inbox. */
export function reachesSomething(integrations: readonly Integration[], places: readonly string[]): boolean {
  if (places.length === 0) return true;
  return integrations.some(
    ({ id, tags, active }) =>
      active &&
      (places.includes(`${INTEGRATION}${id}`) || tags.some((tag) => places.includes(`${TAG}${tag}`))),
  );
}
