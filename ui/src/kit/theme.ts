import { Badge, createTheme, Drawer, Modal, Notification, type MantineColorsTuple } from "@mantine/core";

/** Water at dusk: the one accent. Everything else is grey, and colour means state. */
const tide: MantineColorsTuple = [
  "#e8f7f9",
  "#d5ecf0",
  "#abd9e1",
  "#7dc5d1",
  "#58b4c4",
  "#3fa9bc",
  "#2f9fb5",
  "#1d8a9f",
  "#0b7285",
  "#00606f",
];

/** Night over the same water, in place of plain greys. */
const dark: MantineColorsTuple = [
  "#dfe5ec",
  "#bcc7d3",
  "#9dabba",
  "#75869a",
  "#344457",
  "#263446",
  "#1c2837",
  "#151f2b",
  "#0f1722",
  "#0a1019",
];

export const theme = createTheme({
  primaryColor: "tide",
  primaryShade: { light: 8, dark: 5 },
  colors: { tide, dark },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace",
  headings: { fontWeight: "620" },
  defaultRadius: "md",
  cursorType: "pointer",
  autoContrast: true,
  luminanceThreshold: 0.3,
  components: {
    Badge: Badge.extend({ defaultProps: { miw: "max-content" } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { "aria-label": "Close" } } }),
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: { "aria-label": "Close" } } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { "aria-label": "Close" } } }),
  },
});

/** Words that warn, on the ground of a panel. */
export const warningWords =
  "light-dark(var(--mantine-color-orange-light-color), var(--mantine-color-orange-4))";

/** What a colour says, everywhere. */
export const meaning = {
  good: "teal",
  busy: "tide",
  waiting: "gray",
  warning: "orange",
  bad: "red",
} as const;

export type Meaning = keyof typeof meaning;
