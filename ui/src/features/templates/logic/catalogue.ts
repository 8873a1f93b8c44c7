import type { Template } from "@/features/templates/schemas";
import { channels as order, type Channel } from "@/kit/channels";

export interface ChannelOf {
  channel: Channel;
  templates: Template[];
}
export interface NameOf {
  name: string;
  channels: ChannelOf[];
}

/** Templates by name, then by channel in the order in which channels stand everywhere. */
export function catalogued(templates: readonly Template[]): NameOf[] {
  return [...grouped(templates, (each) => each.name)].map(([name, ofName]) => ({
    name,
    channels: [...grouped(ofName, (each) => each.channel)]
      .map(([channel, ofChannel]) => ({
        channel,
        templates: ofChannel,
      }))
      .sort((one, other) => order.indexOf(one.channel) - order.indexOf(other.channel)),
  }));
}

function grouped<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
