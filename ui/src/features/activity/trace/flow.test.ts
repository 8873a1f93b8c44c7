import { describe, expect, it } from "vitest";
import { stepsOf } from "@/features/activity/trace/building";
import { flowOf } from "@/features/activity/trace/flow";
import { place } from "@/features/activity/trace/placing";
import { after, notice, trace } from "@/features/activity/trace/traces";

const LATER = Date.parse(after(60_000));

function flow(given: Parameters<typeof trace>[0] = {}) {
  const whole = trace(given);
  return flowOf(whole, stepsOf(whole, LATER));
}

function heard(n: number, told = false) {
  const rule = { rule: `Rule ${n}`, ruleVersion: 1, versionNow: 1 };
  return { listener: `rule:${n}`, ...rule, told, verdict: "not met", at: after(20) };
}

describe("flowOf", () => {
  it("has a column for each stage", () => {
    expect(flow().nodes.map(({ column, title }) => [column, title])).toEqual([
      [0, "order.paid"],
      [1, "Orders"],
      [2, "Order 7 is paid"],
      [3, "email"],
      [4, "sent"],
    ]);
  });

  it("brings what two channels became together", () => {
    const counts = ["email", "push"].map((channel) => {
      return { noticeId: "n", channel, status: "sent" as const, open: false, count: 3 };
    });
    const { nodes, edges } = flow({ notices: [notice({ channels: ["email", "push"] })], counts });
    expect(nodes.filter(({ column }) => column === 4)).toMatchObject([{ title: "sent", count: 6 }]);
    expect(edges.filter(({ to }) => to === "end:sent")).toHaveLength(2);
  });

  it("stays small, however many rules were asked", () => {
    const listeners = Array.from({ length: 40 }, (_, n) => heard(n));
    const second = flow({ listeners, notices: [] }).nodes.filter(({ column }) => column === 1);
    expect(second).toHaveLength(7);
    expect(second.at(-1)?.title).toBe("34 more");
  });
});

describe("place", () => {
  it("keeps boxes apart and within the width", () => {
    const { boxes, height } = place(flow({ listeners: [heard(1), heard(2), heard(3)] }), 1000);
    for (const box of boxes) {
      expect(box.x + box.width).toBeLessThanOrEqual(1000.01);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      const same = boxes.filter((other) => other !== box && other.node.column === box.node.column);
      expect(same.every((other) => Math.abs(other.y - box.y) >= box.height)).toBe(true);
    }
  });

  it("draws every edge, the one with more thicker", () => {
    const counts = [
      { noticeId: "n", channel: "email", status: "sent" as const, open: false, count: 90_000 },
      { noticeId: "n", channel: "email", status: "failed" as const, open: false, count: 10 },
    ];
    const made = flow({ counts });
    const { curves } = place(made, 1000);
    expect(curves).toHaveLength(made.edges.length);
    const thick = (to: string) => curves.find(({ edge }) => edge.to === to)?.thickness ?? 0;
    expect(thick("end:sent")).toBeGreaterThan(thick("end:failed"));
  });

  it("has room for a fact of which nothing came", () => {
    const { boxes, height } = place(flow({ listeners: [], notices: [] }), 600);
    expect([boxes.length, height]).toEqual([1, 56]);
  });
});
