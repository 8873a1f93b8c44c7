import { getRouteApi } from "@tanstack/react-router";
import { ProviderEditor } from "@/features/channels/components/ProviderEditor";
import { fieldsOf } from "@/features/channels/logic/fields";
import { useProvider } from "@/features/channels/operations/get-provider";
import { useProviderTypes } from "@/features/channels/operations/list-provider-types";
import type { ProviderType } from "@/features/channels/schemas";
import { Asked } from "@/kit/states/Asked";

const route = getRouteApi("/shell/channels/$id");

/** One provider: how it feels, a test through it, and its settings. */
export function ProviderPage() {
  const { id } = route.useParams();
  const types = useProviderTypes();
  const provider = useProvider(id);
  return (
    <Asked query={types}>
      {(known) => (
        <Asked query={provider}>
          {(found) => (
            <ProviderEditor
              key={id}
              provider={found}
              type={typeOf(known, found.type)}
              fields={fieldsOf(typeOf(known, found.type).config)}
              onRefetch={async () => (await provider.refetch()).data ?? found}
            />
          )}
        </Asked>
      )}
    </Asked>
  );
}

/** The inbox is of a type that nobody can choose. */
function typeOf(types: readonly ProviderType[], type: string): ProviderType {
  return types.find((each) => each.type === type) ?? { type, channels: [], config: {}, onUnknown: "resend" };
}
