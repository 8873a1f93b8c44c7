import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { answered, client } from "@/kit/client";
import { envelope, reads, type Documents } from "@/kit/shapes";

const messageSchema = reads<Documents["PreviewDocument"]>()(
  z.object({ subject: z.string().nullable(), text: z.string(), html: z.string().nullable() }),
);
type Previewed = z.infer<typeof messageSchema>;

/** What leads to the page that answers it. */
export interface MessageButton {
  label: string;
  url: string;
}

export interface Message extends Previewed {
  buttons?: MessageButton[];
}
export type Wanted = Documents["PreviewBody"];

async function previewMessage(body: Wanted): Promise<Previewed> {
  return envelope(messageSchema).parse(await answered(client.POST("/v1/templates/preview", { body }))).data;
}

/** What one person would get. `last` is the last that could be shown, and stays while the newest has a fault. */
export function useMessagePreview(wanted: Wanted) {
  const asked = useQuery({
    queryKey: ["templates", "preview", wanted],
    queryFn: () => previewMessage(wanted),
    gcTime: 30_000,
  });
  const [last, setLast] = useState(asked.data);
  if (asked.data !== undefined && asked.data !== last) setLast(asked.data);
  return { last, error: asked.error, asking: asked.isFetching };
}
