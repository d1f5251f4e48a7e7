// A client without a browser, which reads only when it is told to; and a line that can be cut.
import { randomBytes } from "node:crypto";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { Order } from "../../src/core/messages";
import { bristle } from "../../src/core/protocol.js";

export class RawClient {
  states = 0; // binary messages that came
  private rest = Buffer.alloc(0);
  private constructor(private readonly socket: Socket) {}

  static connect(address: string): Promise<RawClient> {
    const { port, hash } = new URL(address);
    const socket = connect(Number(port), "127.0.0.1");
    const client = new RawClient(socket);
    socket.write(
      `GET /live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n\r\n`,
    );
    return new Promise((done, failed) => {
      socket.on("error", failed);
      socket.once("data", (answer) => {
        if (!answer.toString("latin1").startsWith("HTTP/1.1 101")) return failed(new Error(answer.toString("latin1")));
        socket.on("data", (bytes) => client.hear(bytes));
        const token = new URLSearchParams(hash.slice(1)).get("token") ?? "";
        client.send({ id: 1, hello: { protocol: bristle.wire.Agreed.PROTOCOL_VERSION, token, role: "VIEWER", client: "raw" } });
        done(client);
      });
    });
  }

  stopReading(): void {
    this.socket.pause();
  }
  end(): void {
    this.socket.destroy();
  }

  private send(message: Order): void {
    const text = Buffer.from(JSON.stringify(message));
    if (text.length > 125) throw new Error("only short messages");
    const mask = [0, 0, 0, 0];
    this.socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, ...mask]), text]));
  }

  private hear(bytes: Buffer): void {
    this.rest = Buffer.concat([this.rest, bytes]);
    for (;;) {
      if (this.rest.length < 2) return;
      let length = this.rest[1]! & 127;
      let start = 2;
      if (this.rest.length < (length === 126 ? 4 : length === 127 ? 10 : 2)) return;
      if (length === 126) [length, start] = [this.rest.readUInt16BE(2), 4];
      else if (length === 127) [length, start] = [Number(this.rest.readBigUInt64BE(2)), 10];
      if (this.rest.length < start + length) return;
      const kind = this.rest[0]! & 15;
      if (kind === 2) this.states++;
      if (kind === 9) this.socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0])); // a ping wants a pong
      this.rest = this.rest.subarray(start + length);
    }
  }
}

export class Line {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static to(port: number): Promise<Line> {
    return new Promise((done) => {
      const server = createServer((near) => line.join(near, port));
      let line: Line;
      server.listen(0, "127.0.0.1", () => {
        line = new Line(server, (server.address() as { port: number }).port);
        done(line);
      });
    });
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }
  mend(): void {
    this.isCut = false;
  }
  end(): void {
    this.cut();
    this.server.close();
  }

  private join(near: Socket, port: number): void {
    if (this.isCut) {
      near.destroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    for (const [socket, other] of [[near, far], [far, near]] as const) {
      this.sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
