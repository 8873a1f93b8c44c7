import { expect, it } from "vitest";
import { marked } from "@/features/inbox/operations/mark";

const now = "2026-11-16T12:00:00Z";
const unread = {
  id: "1",
  personId: "p",
  factId: null,
  title: "Order 7 is paid",
  body: "",
  level: "info" as const,
  category: "orders",
  createdAt: now,
  readAt: null,
  archivedAt: null,
  actionUrl: null,
  actionLabel: null,
  timezone: null,
  shared: false,
  readBy: null,
  matter: null,
  actions: [],
  handled: null,
};

it("reads, and takes it back", () => {
  const read = marked(unread, "read", now);
  expect(read.readAt).toBe(now);
  expect(marked(read, "unread", now)).toEqual(unread);
});

it("archives without reading, and takes it back", () => {
  const away = marked(unread, "archive", now);
  expect(away).toMatchObject({ readAt: null, archivedAt: now });
  expect(marked(away, "unarchive", now)).toEqual(unread);
});

it("says of what is shared who has read it", () => {
  const read = marked({ ...unread, shared: true }, "read", now);
  expect(read.readBy).toEqual({ id: "p", name: null });
  expect(marked(read, "unread", now).readBy).toBeNull();
});
