import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy to a port of this machine whose connections can be cut at any byte, and slowed. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private bytesUntilCut = Number.POSITIVE_INFINITY;
  private delayMs = 0;

  private constructor(
    private readonly server: Server,
    private readonly to: number,
  ) {}

  static async to(port: number): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server, port);
    server.on('connection', (socket) => proxy.forward(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    const address = this.server.address();
    if (typeof address !== 'object' || !address) throw new Error('the proxy is closed');
    return address.port;
  }

  /** Cuts all connections after this many more bytes. */
  cutAfter(bytes: number): void {
    this.bytesUntilCut = bytes;
    if (bytes === 0) this.cut();
  }

  /** Delays everything that passes by this time. */
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

  private forward(client: Socket): void {
    const upstream = connect({ host: '127.0.0.1', port: this.to, noDelay: true });
    client.setNoDelay(true);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
      from.on('data', (bytes: Buffer) => this.receive(bytes, from, to));
      from.on('end', () => to.end());
      to.on('drain', () => from.resume());
    }
  }

  private receive(bytes: Buffer, from: Socket, to: Socket): void {
    if (this.delayMs === 0) return this.send(bytes, from, to);
    from.pause();
    setTimeout(() => {
      from.resume();
      if (!to.destroyed) this.send(bytes, from, to);
    }, this.delayMs);
  }

  private send(bytes: Buffer, from: Socket, to: Socket): void {
    const passing = bytes.subarray(0, Math.min(bytes.length, this.bytesUntilCut));
    this.bytesUntilCut -= passing.length;
    if (passing.length < bytes.length) {
      to.write(passing, () => this.cut());
      return;
    }
    if (!to.write(passing)) from.pause();
  }

  private cut(): void {
    this.bytesUntilCut = Number.POSITIVE_INFINITY;
    for (const socket of this.sockets) socket.destroy();
  }
}
