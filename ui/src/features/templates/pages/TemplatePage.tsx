import { getRouteApi } from "@tanstack/react-router";
import { TemplateEditor } from "@/features/templates/components/TemplateEditor";
import { useTemplate } from "@/features/templates/operations/get-template";
import { Asked } from "@/kit/states/Asked";

const route = getRouteApi("/shell/templates/$name/$channel");

/** One template: its source, and beside it what it makes. */
export function TemplatePage() {
  const { name, channel } = route.useParams();
  const { locale = "", version } = route.useSearch();
  const key = { name, channel, locale };
  const found = useTemplate(key, version);
  return (
    <Asked query={found}>
      {({ template, isOwn }) => (
        <TemplateEditor
          key={`${name} ${channel} ${locale} ${version ?? ""}`}
          id={key}
          template={template}
          isOwn={isOwn}
          looksAt={version}
        />
      )}
    </Asked>
  );
}
