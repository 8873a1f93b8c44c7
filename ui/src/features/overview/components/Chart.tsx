import { useComputedColorScheme, useMantineTheme } from "@mantine/core";
import { useElementSize, useMergedRef } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import classes from "@/features/overview/components/Chart.module.css";
import "uplot/dist/uPlot.min.css";

export interface Line {
  label: string;
  color: string;
  values: readonly number[];
}

interface Props {
  /** Seconds since 1970, one for each value. */
  times: readonly number[];
  lines: readonly Line[];
  /** What it shows, for who cannot see it. */
  label: string;
  height?: number;
}

/** Lines over time. Drawn on a canvas: new values cost a fraction of a frame. */
export function Chart({ times, lines, label, height = 220 }: Props) {
  const ground = useRef<HTMLDivElement>(null);
  const { ref: measured, width } = useElementSize<HTMLDivElement>();
  const placed = useMergedRef(ground, measured);
  const plot = useRef<uPlot | null>(null);
  const theme = useMantineTheme();
  const dark = useComputedColorScheme("light") === "dark";
  const ink = dark ? theme.colors.dark[2] : theme.colors.gray[7];
  const grid = dark ? theme.colors.dark[5] : theme.colors.gray[2];
  const shape = lines.map((line) => `${line.label}:${line.color}`).join();
  const latest = useRef<uPlot.AlignedData>([[]]);

  useEffect(() => {
    latest.current = [times, ...lines.map((line) => line.values)] as unknown as uPlot.AlignedData;
    plot.current?.setData(latest.current);
  }, [times, lines]);

  useEffect(() => {
    if (ground.current === null || width === 0) return;
    const drawn = new uPlot(options(width, height, lines, ink, grid), latest.current, ground.current);
    plot.current = drawn;
    return () => {
      plot.current = null;
      drawn.destroy();
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- made anew for another shape, fed for other values
  }, [ground, width, height, shape, ink, grid]);

  return (
    <div
      ref={placed}
      className={classes.chart}
      role="img"
      aria-label={label}
      style={{ height: height + 34 }}
    />
  );
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const fineClock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const EMPTY = 120; // seconds shown where there is nothing yet

function onTheClock(_: uPlot, times: number[]): string[] {
  const [first = 0, second = first] = times;
  const shown = second - first < 60 ? fineClock : clock;
  return times.map((time) => shown.format(time * 1000));
}

/** From the first to the last; where there is nothing yet, the time that will be filled. */
function between({ data: [times] }: uPlot): [number, number] {
  const [first, last, now] = [times[0], times.at(-1), Date.now() / 1000];
  return first === undefined || last === undefined || first === last ? [now - EMPTY, now] : [first, last];
}

function options(
  width: number,
  height: number,
  lines: readonly Line[],
  ink: string,
  grid: string,
): uPlot.Options {
  const axis = {
    stroke: ink,
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
    font: "12px 'Inter Variable', system-ui",
  };
  return {
    width,
    height,
    cursor: { points: { size: 6 } },
    legend: { live: true },
    axes: [
      { ...axis, space: 70, size: 30, values: onTheClock },
      { ...axis, size: 44 },
    ],
    scales: {
      x: { range: between },
      y: { range: (_, __, top) => [0, Math.max(5, top * 1.1)] },
    },
    series: [
      { value: (_: uPlot, time: number | null) => (time === null ? "–" : fineClock.format(time * 1000)) },
      ...lines.map((line) => ({
        label: line.label,
        stroke: line.color,
        fill: `${line.color}1a`,
        width: 2,
        points: { show: false },
        value: (_: uPlot, value: number | null) => (value === null ? "–" : value.toLocaleString()),
      })),
    ],
  };
}
