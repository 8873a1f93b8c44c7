import { useQuery } from "@tanstack/react-query";
import { reportTypesKey } from "@/features/reports/keys";
import { reportTypesSchema, type ReportType } from "@/features/reports/schemas";
import { answered, client } from "@/kit/client";

async function listReportTypes(): Promise<ReportType[]> {
  return reportTypesSchema.parse(await answered(client.GET("/v1/report-types"))).data;
}

/** What there is to report. It changes with a new version alone. */
export function useReportTypes() {
  return useQuery({ queryKey: reportTypesKey, queryFn: listReportTypes, staleTime: 300_000 });
}
