import { Text, UnstyledButton } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { COLUMNS, type Flow, type FlowNode } from "@/features/activity/trace/flow";
import { place, type Box } from "@/features/activity/trace/placing";
import { offset } from "@/features/activity/trace/scale";
import classes from "@/features/activity/trace/Trace.module.css";

interface Props {
  flow: Flow;
  onOpen: (step: string) => void;
}

/** The way from the fact to what became of it, at a glance. All of it is said again in the list below. */
export function TraceFlow({ flow, onOpen }: Props) {
  const { ref, width } = useElementSize();
  const { boxes, curves, height } = place(flow, width);
  const columns = COLUMNS.slice(0, Math.max(...flow.nodes.map((node) => node.column)) + 1);
  return (
    <div>
      <div className={classes.columns} aria-hidden>
        {columns.map((name, n) => (
          <Text key={name} size="xs" c="dimmed" w={boxes.find((box) => box.node.column === n)?.width ?? 0}>
            {name}
          </Text>
        ))}
      </div>
      <div ref={ref} className={classes.flow} style={{ height }}>
        <svg className={classes.edges} width={width} height={height} aria-hidden>
          {curves.map(({ edge, path, thickness }) => (
            <path
              key={`${edge.from}>${edge.to}`}
              d={path}
              strokeWidth={thickness}
              className={`${classes.edge} ${classes[edge.means]}`}
            />
          ))}
        </svg>
        {width > 0 && boxes.map((box) => <Node key={box.node.id} box={box} onOpen={onOpen} />)}
      </div>
    </div>
  );
}

const OPENED = /^(fact|intent|listener|notice):/;

function Node({ box: { node, x, y, width, height }, onOpen }: { box: Box; onOpen: (step: string) => void }) {
  const look = {
    className: `${classes.node} ${classes[node.means]}`,
    style: { left: x, top: y, width, height },
  };
  if (!OPENED.test(node.id)) {
    return (
      <div {...look}>
        <Inside node={node} />
      </div>
    );
  }
  return (
    <UnstyledButton {...look} onClick={() => onOpen(node.id)} title={`${node.title}: ${node.words}`}>
      <Inside node={node} />
    </UnstyledButton>
  );
}

function Inside({ node }: { node: FlowNode }) {
  return (
    <>
      <Text size="sm" fw={560} truncate>
        {node.title}
      </Text>
      <Text size="xs" c="dimmed" truncate className="numbers">
        {node.at !== null && node.at > 0 && `${offset(node.at)} · `}
        {node.count === null ? node.words : node.count.toLocaleString()}
      </Text>
    </>
  );
}
