import { describe, expect, it } from "vitest";
import { bodyOf, changesOf, draftOf, emptyDraft, isChanged } from "@/features/channels/logic/draft";
import { fieldsOf } from "@/features/channels/logic/fields";
import type { Provider } from "@/features/channels/schemas";

const fields = fieldsOf({
  properties: {
    host: { type: "string" },
    port: { type: "integer", default: 587 },
    username: { type: "string" },
    password: { type: "string", writeOnly: true },
    verify: { type: "boolean", default: true },
  },
  required: ["host"],
});

const provider: Provider = {
  id: "p",
  channel: "email",
  type: "smtp",
  name: "Post",
  builtIn: false,
  enabled: true,
  priority: 100,
  config: { host: "mail.example.com", port: 25, username: null, password: "…xyz9", verify: false },
  version: 1,
  concurrency: 4,
  rate: { count: 10, period: "1s" },
  onUnknown: null,
  maxAttempts: null,
  expiresAfter: null,
  circuit: { state: "closed", openUntil: null, failures: 0, lastError: null, lastErrorAt: null },
  receiptsUrl: null,
};

describe("a provider in its form", () => {
  it("is sent without what is empty", () => {
    const draft = emptyDraft("Post", fields);
    expect(bodyOf(draft, fields)).toMatchObject({
      name: "Post",
      config: { port: 587, verify: true },
      rate: null,
      expiresAfter: null,
    });
  });

  it("never has a secret that is stored", () => {
    expect(JSON.stringify(draftOf(provider, fields))).not.toContain("xyz9");
    expect(bodyOf(draftOf(provider, fields), fields).config).toEqual({
      host: "mail.example.com",
      port: 25,
      verify: false,
    });
  });

  it("sends only what was changed", () => {
    const before = draftOf(provider, fields);
    expect(isChanged(before, { ...before }, fields)).toBe(false);
    expect(changesOf(before, { ...before, rateCount: "" }, fields)).toEqual({ rate: null });
    expect(changesOf(before, { ...before, ratePeriod: "1m" }, fields)).toEqual({
      rate: { count: 10, period: "1m" },
    });
  });

  it("sends a configuration whole, with a secret where one was written", () => {
    const before = draftOf(provider, fields);
    const draft = { ...before, config: { ...before.config, password: "another" } };
    expect(changesOf(before, draft, fields)).toEqual({
      config: { host: "mail.example.com", port: 25, password: "another", verify: false },
    });
  });

  it("says so where a secret is taken away", () => {
    const before = draftOf(provider, fields);
    const draft = { ...before, config: { ...before.config, password: null } };
    expect(changesOf(before, draft, fields)).toMatchObject({ config: { password: null } });
  });
});
