import type { Template } from "@/features/templates/schemas";
import type { Channel } from "@/kit/channels";

export interface ChannelOf {
  channel: Channel;
  templates: Template[];
}
export interface NameOf {
  name: string;
  channels: ChannelOf[];
}

/** Templates by name, then by channel, in the order in which they come. */
export function catalogued(templates: readonly Template[]): NameOf[] {
  return [...grouped(templates, (each) => each.name)].map(([name, ofName]) => ({
    name,
    channels: [...grouped(ofName, (each) => each.channel)].map(([channel, ofChannel]) => ({
      channel,
      templates: ofChannel,
    })),
  }));
}

function grouped<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
