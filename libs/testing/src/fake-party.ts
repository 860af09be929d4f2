import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fake of an external HTTP service, on a local port. */
export abstract class FakeParty {
  private readonly server = createServer((request, response) => void this.answer(request, response));
  protected port = 0;

  protected abstract answer(request: IncomingMessage, response: ServerResponse): Promise<void>;

  /** Listens on the given port, or on any free one. */
  protected async listen(port = 0): Promise<this> {
    await once(this.server.listen(port, '127.0.0.1'), 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
