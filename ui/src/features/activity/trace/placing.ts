import type { Flow, FlowEdge, FlowNode } from "@/features/activity/trace/flow";

export interface Box {
  node: FlowNode;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Curve {
  edge: FlowEdge;
  /** The `d` of an SVG path. */
  path: string;
  thickness: number;
}

export interface Placed {
  boxes: readonly Box[];
  curves: readonly Curve[];
  height: number;
}

const HEIGHT = 56;
const GAP = 12;
const BETWEEN = 0.3; // of a column's width
const THIN = 1.5;
const THICK = 9;

/** Columns from left to right, each in the middle of the height; thicker is more. */
export function place(flow: Flow, width: number): Placed {
  const columns = Math.max(...flow.nodes.map((node) => node.column)) + 1;
  const each = width / (columns + (columns - 1) * BETWEEN);
  const tallest = Math.max(...Array.from({ length: columns }, (_, n) => inColumn(flow, n).length));
  const height = tallest * (HEIGHT + GAP) - GAP;
  const boxes = Array.from({ length: columns }, (_, column) => {
    const nodes = inColumn(flow, column);
    const top = (height - (nodes.length * (HEIGHT + GAP) - GAP)) / 2;
    const x = column * each * (1 + BETWEEN);
    return nodes.map((node, n) => ({ node, x, y: top + n * (HEIGHT + GAP), width: each, height: HEIGHT }));
  }).flat();
  return { boxes, curves: curves(flow, boxes), height };
}

function inColumn(flow: Flow, column: number): FlowNode[] {
  return flow.nodes.filter((node) => node.column === column);
}

function curves(flow: Flow, boxes: readonly Box[]): Curve[] {
  const heaviest = Math.max(1, ...flow.edges.map(({ weight }) => weight));
  const at = new Map(boxes.map((box) => [box.node.id, box]));
  return flow.edges.flatMap((edge) => {
    const [from, to] = [at.get(edge.from), at.get(edge.to)];
    return from === undefined || to === undefined
      ? []
      : [{ edge, path: curve(from, to), thickness: thickness(edge.weight, heaviest) }];
  });
}

function thickness(weight: number, heaviest: number): number {
  if (heaviest <= 1) return THIN + 0.5;
  return THIN + (THICK - THIN) * (Math.log1p(weight) / Math.log1p(heaviest));
}

function curve(from: Box, to: Box): string {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  const bend = (x2 - x1) / 2;
  const parts = [x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2].map((value) => value.toFixed(1));
  return `M${parts[0]} ${parts[1]} C${parts[2]} ${parts[3]} ${parts[4]} ${parts[5]} ${parts[6]} ${parts[7]}`;
}
