import { connect, type Socket } from 'node:net';
import { RawServer } from './hostile-ssh';

/** Forwards a local port to another one until it is cut. */
export class Relay {
  private isCut = false;
  private server: RawServer | undefined;

  static async to(host: string, port: number): Promise<Relay> {
    const relay = new Relay();
    relay.server = await RawServer.start((near) => (relay.isCut ? near.destroy() : pipeBothWays(near, host, port)));
    return relay;
  }

  get port(): number {
    return this.server?.port ?? 0;
  }

  /** Ends all connections and refuses new ones. */
  cut(): void {
    this.isCut = true;
    this.server?.cut();
  }

  heal(): void {
    this.isCut = false;
  }

  async stop(): Promise<void> {
    await this.server?.close();
  }
}

/** Forwards bytes in both directions until either side ends. */
export function pipeBothWays(near: Socket, host: string, port: number): void {
  const far = connect({ host, port, noDelay: true });
  near.on('error', () => far.destroy()).on('close', () => far.destroy());
  far.on('error', () => near.destroy()).on('close', () => near.destroy());
  near.pipe(far).pipe(near);
}
