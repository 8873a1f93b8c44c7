import createClient from "openapi-fetch";
import type { paths } from "@/api/schema";
import { Away, Problem, problemSchema } from "@/kit/problem";

/** Sent with everything that changes something; whoever signs in sets it. */
let csrfToken: string | null = null;
/** Where this page is. The session may have gone elsewhere in another window: what is meant for here fails then. */
let tenant: string | null = null;

export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

export function setTenant(id: string | null): void {
  tenant = id;
}

/** One typed client for all services. What is not a 2xx is thrown, as a `Problem` or as `Away`. */
export const client = createClient<paths>();

client.use({
  onRequest({ request }) {
    if (csrfToken !== null && request.method !== "GET") request.headers.set("X-CSRF-Token", csrfToken);
    const aboutTheSession = new URL(request.url).pathname.startsWith("/v1/session");
    if (tenant !== null && !aboutTheSession) request.headers.set("Tidings-Tenant", tenant);
    return request;
  },
  async onResponse({ response }) {
    if (response.ok) return undefined;
    throw await problemOf(response);
  },
  onError() {
    return new Away();
  },
});

async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  const told = problemSchema.safeParse(body);
  if (told.success) return new Problem(told.data, response.headers.get("Location"));
  return new Problem({
    type: "about:blank",
    title: response.statusText,
    status: response.status,
    detail: "",
  });
}

/** The body of an answer. The middleware threw where there is none. */
export async function answered<T>(asking: Promise<{ data?: T }>): Promise<T> {
  const { data } = await asking;
  return data as T;
}
