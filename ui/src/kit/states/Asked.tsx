import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failed } from "@/kit/states/Failed";
import { Loading } from "@/kit/states/Loading";

interface Props<T> {
  query: UseQueryResult<T>;
  /** In place of rows of grey. */
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

/** What a query brought, or how it stands. What is there stays while it is asked for again. */
export function Asked<T>({ query, loading, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return loading ?? <Loading />;
}
