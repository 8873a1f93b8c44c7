import { describe, expect, it } from "vitest";
import { aboutIn, fieldsOf, labelOf } from "@/features/channels/logic/fields";

const smtp = {
  description: "A mail server.",
  properties: {
    host: { type: "string", description: "the mail server" },
    port: { type: "integer", default: 587, minimum: 1, maximum: 65535 },
    security: { type: "string", enum: ["none", "starttls", "tls"], default: "starttls" },
    username: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
    password: { anyOf: [{ type: "string", format: "password", writeOnly: true }, { type: "null" }] },
    verify: { type: "boolean", default: true },
  },
  required: ["host"],
};

describe("the fields of a type of provider", () => {
  it("are of the kind that its schema says, in its order", () => {
    expect(fieldsOf(smtp).map(({ name, kind }) => [name, kind])).toEqual([
      ["host", "text"],
      ["port", "number"],
      ["security", "choice"],
      ["username", "text"],
      ["password", "secret"],
      ["verify", "flag"],
    ]);
  });

  it("begin with what the schema begins with", () => {
    expect(fieldsOf(smtp)).toMatchObject([
      { required: true, initial: "" },
      { required: false, initial: 587, min: 1, max: 65535 },
      { initial: "starttls" },
      { initial: "" },
      { isDocument: false },
      { initial: true },
    ]);
  });

  it("know a credential that is a whole document", () => {
    const account = { type: "string", writeOnly: true, contentMediaType: "application/json" };
    expect(fieldsOf({ properties: { account } })).toMatchObject([{ kind: "secret", isDocument: true }]);
  });

  it("are none where there is nothing to set", () => {
    expect(fieldsOf({ type: "object", properties: {} })).toEqual([]);
    expect(fieldsOf({})).toEqual([]);
    expect(aboutIn(smtp)).toBe("A mail server.");
  });

  it("are called as one says it", () => {
    expect(["fromAddress", "baseUrl", "accountSid", "apiKey", "host"].map(labelOf)).toEqual([
      "From address",
      "Base URL",
      "Account SID",
      "API key",
      "Host",
    ]);
  });
});
