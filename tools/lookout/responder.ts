import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers for all sites of the trial, and notes when each was asked. `/s/12` is the twelfth site. */
export class Responder {
  /** Milliseconds since the epoch of the requests for each site. */
  readonly requests = new Map<number, number[]>();
  private silentSites: (site: number) => boolean = () => false;
  private isCut = false;
  private readonly held = new Set<ServerResponse>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Responder> {
    const server = createServer({ keepAlive: false });
    const responder = new Responder(server);
    server.on('request', ({ url = '', socket }, response: ServerResponse) => {
      const [, number] = /^\/s\/(\d+)/.exec(url) ?? [];
      const site = Number(number ?? -1);
      responder.requests.get(site)?.push(Date.now());
      if (responder.isCut) socket.destroy();
      else if (site >= 0 && responder.silentSites(site)) responder.hold(response);
      else response.end('<html><body>Bonjour</body></html>');
    });
    await once(server.listen(0, '127.0.0.1', 4_096), 'listening');
    return responder;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** These sites accept connections and never answer. */
  silence(isSilent: (site: number) => boolean): void {
    this.silentSites = isSilent;
  }

  /** As for a network that is cut: no site answers, nor does any other address. */
  cut(isCut: boolean): void {
    this.isCut = isCut;
  }

  private hold(response: ServerResponse): void {
    this.held.add(response);
    response.on('close', () => this.held.delete(response));
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
