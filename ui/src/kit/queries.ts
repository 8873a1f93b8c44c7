import { QueryClient } from "@tanstack/react-query";
import { Problem } from "@/kit/problem";

const PATIENCE = 3;

/** Asked again after a failure: what nobody answered, and what the server could not. Never what it refused. */
function again(failures: number, error: Error): boolean {
  const refused = error instanceof Problem && error.status < 500;
  return !refused && failures < PATIENCE;
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: again, staleTime: 15_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
}
