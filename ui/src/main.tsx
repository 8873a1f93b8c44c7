import "@fontsource-variable/inter";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "@/app/app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";

/** Where react-remove-scroll, which drawers and dialogs use, looks for the nonce of the style that it makes. */
Object.assign(globalThis, {
  __webpack_nonce__: document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content,
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
