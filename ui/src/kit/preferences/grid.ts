import { channelWords, type Channel } from "@/kit/channels";
import type { EVERY, Matrix } from "@/kit/preferences/matrix";
import type { Category } from "@/kit/preferences/schemas";

export interface GridProps {
  rows: readonly Category[];
  channels: readonly Channel[];
  matrix: Matrix;
  onMark: (at: { category: string; channel: Channel | typeof EVERY }, wanted: boolean) => void;
}

/** A channel as it begins a line. */
export function named(channel: Channel): string {
  const word = channelWords[channel];
  return word.charAt(0).toUpperCase() + word.slice(1);
}
