import { QueryClient } from "@tanstack/react-query";
import { Away, Problem } from "@/kit/problem";

const PATIENCE = 3;

/**
 * Asked again after a failure: what the server could not answer, never what it refused. What nobody answered is asked
 * once more, and then when the socket is back, which has everything asked again.
 */
function again(failures: number, error: Error): boolean {
  if (error instanceof Away) return failures < 1;
  return error instanceof Problem && error.status >= 500 && failures < PATIENCE;
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: again, staleTime: 15_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
}
