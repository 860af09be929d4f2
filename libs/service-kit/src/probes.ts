import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseToStart } from './env';

const timeoutMs = 1_000;
const validMs = 1_000;

/**
 * Answers the health probes of a supervisor: `/live` when the process runs, `/ready` when it serves and reaches the
 * bus. Neither checks the database or another service, because a restart here would not help there.
 */
export class Probes {
  private reach: (() => Promise<unknown>) | undefined;
  private lastPing: { at: number; isReached: Promise<boolean> } | undefined;

  /**
   * Listens on every address, since the supervisor is on another one; answers reveal nothing else. Returns the port.
   */
  async open(port: number | undefined): Promise<number | undefined> {
    if (port === undefined) return undefined;
    const server = createServer((request, response) => {
      void this.answer(request.url).then((status) => response.writeHead(status, { connection: 'close' }).end());
    });
    server.unref();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve)).catch(
      ({ code }: NodeJS.ErrnoException) => refuseToStart([`VIGIE_PROBE_PORT: ${port} cannot be opened (${code})`]),
    );
    return (server.address() as AddressInfo).port;
  }

  /** Reports ready from now on, as long as `reach` succeeds. */
  serve(reach: () => Promise<unknown>): void {
    this.reach = reach;
    this.lastPing = undefined;
  }

  stop(): void {
    this.reach = undefined;
  }

  private async answer(path: string | undefined): Promise<number> {
    if (path === '/live') return 200;
    if (path !== '/ready') return 404;
    if (!this.reach) return 503;
    const now = performance.now();
    if (!this.lastPing || now - this.lastPing.at > validMs)
      this.lastPing = { at: now, isReached: isReached(this.reach) };
    return (await this.lastPing.isReached) ? 200 : 503;
  }
}

async function isReached(reach: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const ping = reach().then(
    () => true,
    () => false,
  );
  return Promise.race([ping, timeout]).finally(() => clearTimeout(timer));
}
