import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A port that leads to another one, until it is cut. */
export class Relay {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private server: Server | undefined;
  port = 0;

  static async to(host: string, port: number): Promise<Relay> {
    const relay = new Relay();
    relay.server = createServer((near) => relay.join(near, host, port)).listen(0, '127.0.0.1');
    await once(relay.server, 'listening');
    const address = relay.server.address();
    relay.port = typeof address === 'object' && address ? address.port : 0;
    return relay;
  }

  /** All that is open ends, and nothing is let through. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  heal(): void {
    this.isCut = false;
  }

  async stop(): Promise<void> {
    this.cut();
    this.server?.close();
    if (this.server) await once(this.server, 'close');
  }

  private join(near: Socket, host: string, port: number): void {
    if (this.isCut) return void near.destroy();
    const far = connect({ host, port, noDelay: true });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket
        .on('error', () => other.destroy())
        .on('close', () => {
          this.sockets.delete(socket);
          other.destroy();
        });
      socket.pipe(other);
    }
  }
}
