import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a port of this machine that can be cut at any byte, and slowed. */
export class Road {
  private readonly sockets = new Set<Socket>();
  /** Bytes until the next cut. */
  private left = Number.POSITIVE_INFINITY;
  private delayMs = 0;

  private constructor(
    private readonly server: Server,
    private readonly to: number,
  ) {}

  static async to(port: number): Promise<Road> {
    const server = createServer();
    const road = new Road(server, port);
    server.on('connection', (socket) => road.carry(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return road;
  }

  get port(): number {
    const address = this.server.address();
    if (typeof address !== 'object' || !address) throw new Error('the road is closed');
    return address.port;
  }

  /** Cuts all that is open after so many bytes more. */
  cutAfter(bytes: number): void {
    this.left = bytes;
    if (bytes === 0) this.cut();
  }

  /** From now on whatever passes waits so long first. */
  slow(ms: number): void {
    this.delayMs = ms;
  }

  get connections(): number {
    return this.sockets.size / 2;
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private carry(near: Socket): void {
    const far = connect({ host: '127.0.0.1', port: this.to, noDelay: true });
    near.setNoDelay(true);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
      from.on('data', (bytes: Buffer) => this.take(bytes, from, to));
      from.on('end', () => to.end());
      to.on('drain', () => from.resume());
    }
  }

  private take(bytes: Buffer, from: Socket, to: Socket): void {
    if (this.delayMs === 0) return this.pass(bytes, from, to);
    from.pause();
    setTimeout(() => {
      from.resume();
      if (!to.destroyed) this.pass(bytes, from, to);
    }, this.delayMs);
  }

  private pass(bytes: Buffer, from: Socket, to: Socket): void {
    const passing = bytes.subarray(0, Math.min(bytes.length, this.left));
    this.left -= passing.length;
    if (passing.length < bytes.length) {
      to.write(passing, () => this.cut());
      return;
    }
    if (!to.write(passing)) from.pause();
  }

  private cut(): void {
    this.left = Number.POSITIVE_INFINITY;
    for (const socket of this.sockets) socket.destroy();
  }
}
