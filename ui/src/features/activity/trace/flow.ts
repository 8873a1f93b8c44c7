import { altogether, channelsOf, ends } from "@/features/activity/trace/building";
import type { Trace } from "@/features/activity/trace/schemas";
import type { Step } from "@/features/activity/trace/steps";
import type { Meaning } from "@/kit/theme";

export interface FlowNode {
  id: string;
  /** From the fact, 0, to what became of it. */
  column: number;
  title: string;
  words: string;
  means: Meaning;
  /** How many; null where it is one thing. */
  count: number | null;
  /** Milliseconds since the fact; null where it stands for several moments. */
  at: number | null;
}

export interface FlowEdge {
  from: string;
  to: string;
  weight: number;
  means: Meaning;
}

export interface Flow {
  nodes: readonly FlowNode[];
  edges: readonly FlowEdge[];
}

export const COLUMNS = ["Fact", "Rules", "Notices", "Channels", "Became"] as const;
const MOST = 6;

/** The way from the fact to what became of it, in five columns, however many people it reached. */
export function flowOf(trace: Trace, root: Step): Flow {
  const gathering: { nodes: FlowNode[]; edges: FlowEdge[] } = { nodes: [node(root, 0)], edges: [] };
  const second = root.steps.filter(
    (step) => step.kind === "listener" || (step.kind === "intent" && step.title !== "Whom to tell"),
  );
  const { shown, rest } = capped(
    second.sort((a, b) => Number(b.steps.length > 0) - Number(a.steps.length > 0)),
  );
  for (const step of shown) {
    gathering.nodes.push(node(step, 1));
    gathering.edges.push({
      from: root.id,
      to: step.id,
      weight: 1,
      means: step.means === "good" ? "busy" : step.means,
    });
    for (const notice of capped(step.steps).shown) addNotice(trace, notice, step.id, gathering);
  }
  if (rest > 0) {
    const more = {
      id: "more",
      column: 1,
      title: `${rest} more`,
      words: "In the list below",
      count: null,
      at: null,
    };
    gathering.nodes.push({ ...more, means: "waiting" });
    gathering.edges.push({ from: root.id, to: "more", weight: rest, means: "waiting" });
  }
  for (const notice of capped(root.steps.filter(({ kind }) => kind === "notice")).shown) {
    addNotice(trace, notice, root.id, gathering);
  }
  return { nodes: gathering.nodes, edges: merged(gathering.edges) };
}

function capped(steps: readonly Step[]): { shown: readonly Step[]; rest: number } {
  return { shown: steps.slice(0, MOST), rest: Math.max(0, steps.length - MOST) };
}

function node({ id, title, words, means, at }: Step, column: number): FlowNode {
  return { id, column, title, words, means, count: null, at };
}

function addNotice(
  trace: Trace,
  step: Step,
  parent: string,
  into: { nodes: FlowNode[]; edges: FlowEdge[] },
): void {
  const id = step.id.slice("notice:".length);
  const notice = trace.notices.find((one) => one.id === id);
  if (notice === undefined) return;
  into.nodes.push(node(step, 2));
  into.edges.push({ from: parent, to: step.id, weight: notice.tally.people, means: "busy" });
  for (const channel of channelsOf(trace, notice)) addChannel(trace, notice.id, channel, into);
}

function addChannel(
  trace: Trace,
  notice: string,
  channel: string,
  into: { nodes: FlowNode[]; edges: FlowEdge[] },
): void {
  const found = ends(trace.counts.filter((one) => one.noticeId === notice && one.channel === channel));
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const id = `flow:${notice}:${channel}`;
  const means = altogether(found);
  const words =
    total === 0 ? "nobody so far" : total === 1 ? "1 delivery" : `${total.toLocaleString()} deliveries`;
  into.nodes.push({ id, column: 3, title: channel, words, means, count: null, at: null });
  into.edges.push({ from: `notice:${notice}`, to: id, weight: total, means: "busy" });
  for (const end of found) {
    addEnd(end.word, end.means, end.count, into.nodes);
    into.edges.push({ from: id, to: `end:${end.word}`, weight: end.count, means: end.means });
  }
}

function addEnd(word: string, means: Meaning, count: number, nodes: FlowNode[]): void {
  const id = `end:${word}`;
  const before = nodes.find((one) => one.id === id);
  if (before === undefined) nodes.push({ id, column: 4, title: word, words: "", means, count, at: null });
  else before.count = (before.count ?? 0) + count;
}

function merged(edges: readonly FlowEdge[]): FlowEdge[] {
  const all = new Map<string, FlowEdge>();
  for (const edge of edges) {
    const key = `${edge.from}>${edge.to}`;
    const before = all.get(key);
    all.set(key, before === undefined ? edge : { ...edge, weight: before.weight + edge.weight });
  }
  return [...all.values()];
}
