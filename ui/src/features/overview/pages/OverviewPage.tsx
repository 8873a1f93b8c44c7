import { PageHead } from "@/kit/PageHead";

export function OverviewPage() {
  return <PageHead title="Overview" about="What goes out, what waits, and what failed." />;
}
