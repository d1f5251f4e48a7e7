// The connection to the session: orders go out as JSON and are answered, scenes and states come in as
// protobuf. All of it is in live/wire/protocol.proto. A connection that is lost is made again, with the same seat.
import type { GroundMessage } from "./ground";
import type { Answer, FromServer, Order, OrderKind, Welcome } from "./messages";
import { bristle } from "./protocol.js";

export type Scene = bristle.wire.Scene;
export type State = bristle.wire.State;
export type Link = "connecting" | "open" | "lost" | "refused";
// What the server says by itself.
export type ServerEvent = Exclude<FromServer, { answer: Answer }>;

export interface Listener {
  link(now: Link, why: string): void;
  welcome(welcome: Welcome): void;
  scene(scene: Scene): void;
  state(state: State): void;
  ground(ground: GroundMessage): void;
  event(event: ServerEvent): void;
  // The connection is there, but nothing has come over it for a while, not even an answer.
  silent(isSilent: boolean): void;
}

const lookEvery = 150; // ms
const askAfter = 300; // ms without a word
const silentAfter = 850; // so that it is told within a second

export class OrderError extends Error {}

export class Client {
  private socket: WebSocket | null = null;
  private lastId = 0;
  private waiting = new Map<number, { done: (answer: Answer) => void; failed: (e: Error) => void }>();
  private attempts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private heard = 0; // ms, when something last came
  private looked = 0;
  private isSilent = false;
  private isAsking = false;
  private looking: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly address: string,
    private readonly token: string,
    private readonly listener: Listener,
    // Names this page for as long as the tab lives, so that it gets its seat back.
    private readonly name: string,
  ) {}

  connect(): void {
    clearTimeout(this.timer);
    this.listener.link(this.attempts === 0 ? "connecting" : "lost", "");
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.lastId = 0;
    socket.onopen = () => {
      const protocol = bristle.wire.Agreed.PROTOCOL_VERSION;
      this.order({ hello: { protocol, token: this.token, role: "OPERATOR", client: this.name } }).then(
        ({ welcome }) => {
          this.attempts = 0;
          if (welcome) this.listener.welcome(welcome);
          this.listener.link("open", "");
        },
        (error: Error) => {
          if (!(error instanceof OrderError)) return;
          this.close();
          this.listener.link("refused", error.message);
        },
      );
    };
    this.hear();
    clearInterval(this.looking);
    this.looking = setInterval(() => this.listen(), lookEvery);
    socket.onmessage = (message) => {
      this.hear();
      if (typeof message.data === "string") this.text(message.data);
      else this.binary(new Uint8Array(message.data as ArrayBuffer));
    };
    socket.onclose = (closed) => this.lost(closed.reason);
  }

  private hear(): void {
    this.heard = performance.now();
    if (!this.isSilent) return;
    this.isSilent = false;
    this.listener.silent(false);
  }
  // A page that had no time itself, or is not looked at, cannot tell.
  private listen(): void {
    const now = performance.now();
    const wasAwake = now - this.looked < 2 * lookEvery && !document.hidden;
    this.looked = now;
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    if (!wasAwake) {
      this.heard = Math.max(this.heard, now - askAfter);
      return;
    }
    const quiet = now - this.heard;
    if (quiet > askAfter && !this.isAsking) {
      this.isAsking = true;
      const answered = () => void (this.isAsking = false);
      this.order({ ping: {} }).then(answered, answered);
    }
    if (quiet > silentAfter && !this.isSilent) {
      this.isSilent = true;
      this.listener.silent(true);
    }
  }

  // For good.
  close(): void {
    this.ended = true;
    clearInterval(this.looking);
    clearTimeout(this.timer);
    this.socket?.close();
  }

  // Resolves with the answer; rejects with OrderError if the order was refused, with Error if the
  // connection was lost before it was answered.
  order(what: OrderKind): Promise<Answer> {
    return new Promise((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        failed(new Error("not connected"));
        return;
      }
      const id = ++this.lastId;
      this.waiting.set(id, { done, failed });
      const order: Order = { id, ...what };
      this.socket.send(JSON.stringify(order));
    });
  }

  private text(text: string): void {
    const message = JSON.parse(text) as FromServer;
    if (!("answer" in message)) {
      this.listener.event(message);
      return;
    }
    const { answer } = message;
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.error !== undefined) waiting?.failed(new OrderError(answer.error));
    else waiting?.done(answer);
  }

  private binary(bytes: Uint8Array): void {
    const message = bristle.wire.FromServer.decode(bytes);
    if (message.scene) this.listener.scene(message.scene as Scene);
    else if (message.state) this.listener.state(message.state as State);
    else if (message.ground) this.listener.ground(message.ground);
  }

  private lost(why: string): void {
    for (const { failed } of this.waiting.values()) failed(new Error("the connection was lost"));
    this.waiting.clear();
    clearInterval(this.looking);
    this.hear();
    if (this.ended) return;
    this.listener.link("lost", why);
    // 0.25, 0.5, 1, 2, 4, then every 5 s.
    const wait = Math.min(5000, 250 * 2 ** this.attempts++);
    this.timer = setTimeout(() => this.connect(), wait);
  }
}
