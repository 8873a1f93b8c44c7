import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { makeRouter } from "@/app/router";
import { makeQueryClient } from "@/kit/queries";
import { theme } from "@/kit/theme";

/** The server puts a fresh one into every page; styles without it are not let in. */
const nonce = () => document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? "";

export function App() {
  const [queries] = useState(makeQueryClient);
  const [router] = useState(() => makeRouter(queries));
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={nonce}>
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
