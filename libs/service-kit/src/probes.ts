import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseToStart } from './env';

const patienceMs = 1_000;

/**
 * What whoever keeps processes running asks of this one: `/live`, that it answers, and `/ready`, that it serves and reaches
 * the bus. Neither asks for the database or for another service: nobody is started again for somebody else's fault.
 */
export class Probes {
  private reach: (() => Promise<unknown>) | undefined;

  /** On every address, since who asks is not on this one; what is answered says nothing else. Returns the port. */
  async open(port: number | undefined): Promise<number | undefined> {
    if (port === undefined) return undefined;
    const server = createServer((request, response) => {
      void this.answer(request.url).then((status) => response.writeHead(status, { connection: 'close' }).end());
    });
    server.unref();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve)).catch(
      ({ code }: NodeJS.ErrnoException) => refuseToStart([`VIGIE_PROBE_PORT: ${port} cannot be listened at (${code})`]),
    );
    return (server.address() as AddressInfo).port;
  }

  /** It serves from now on, by what `reach` reaches. */
  serve(reach: () => Promise<unknown>): void {
    this.reach = reach;
  }

  stop(): void {
    this.reach = undefined;
  }

  private async answer(path: string | undefined): Promise<number> {
    if (path === '/live') return 200;
    if (path !== '/ready') return 404;
    return (await this.isReached()) ? 200 : 503;
  }

  private async isReached(): Promise<boolean> {
    if (!this.reach) return false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), patienceMs);
    });
    const reached = this.reach().then(
      () => true,
      () => false,
    );
    return Promise.race([reached, late]).finally(() => clearTimeout(timer));
  }
}
