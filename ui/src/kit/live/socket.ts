import { z } from "zod";

export type LiveState = "connecting" | "live" | "away" | "refused";

const messageSchema = z.looseObject({
  type: z.string(),
  unread: z.number().nullish(),
  position: z.string().nullish(),
});
export type LiveMessage = z.infer<typeof messageSchema>;

const SHORTEST = 500;
const LONGEST = 15_000;
const REFUSED = 1008;

/**
 * The one socket of the page. Comes back by itself after a cut, with what it was watching and where it stopped.
 *
 * `watch` is what it asks for beside the inbox.
 */
export class LiveSocket {
  state: LiveState = "connecting";
  /** How much one has not read, as it was told last; who has no inbox has none. */
  unread = 0;
  private socket: WebSocket | null = null;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private position: string | null = null;
  private readonly listeners = new Set<(message: LiveMessage) => void>();
  private readonly watchers = new Set<() => void>();

  constructor(
    private readonly url: string,
    private readonly watch: readonly string[],
  ) {}

  open(): void {
    if (this.socket !== null) return;
    const socket = new WebSocket(this.url, "tidings");
    this.socket = socket;
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: "hello", after: this.position, watch: this.watch }));
    socket.onmessage = (event) => this.hear(String(event.data));
    socket.onclose = (event) => this.closed(socket, event.code);
  }

  close(): void {
    clearTimeout(this.waiting);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  say(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  onMessage(listener: (message: LiveMessage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  onState(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  private hear(text: string): void {
    const message = messageSchema.parse(JSON.parse(text));
    if (message.type === "ready") {
      this.failures = 0;
      this.become("live");
    }
    this.position = message.position ?? this.position;
    if (message.unread !== undefined) this.unread = message.unread ?? 0;
    for (const listener of this.listeners) listener(message);
  }

  private closed(socket: WebSocket, code: number): void {
    if (this.socket !== socket) return;
    this.socket = null;
    if (code === REFUSED) {
      this.become("refused");
      return;
    }
    this.become("away");
    const pause = Math.min(LONGEST, SHORTEST * 2 ** this.failures++) * (0.5 + Math.random() / 2);
    this.waiting = setTimeout(() => this.open(), pause);
  }

  private become(state: LiveState): void {
    if (this.state === state) return;
    this.state = state;
    for (const watcher of this.watchers) watcher();
  }
}
