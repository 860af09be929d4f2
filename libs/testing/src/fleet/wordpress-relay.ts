import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { FakeParty } from '../fake-party';

const FleetUpdates = z.strictObject({ sites: z.array(z.url()).min(1), wordpressOrg: z.url() });

/**
 * Stands where a product expects WordPress.org, in front of the fakes of several fleets. WordPress names its site in each
 * request, so a request goes to the fake of that site's fleet, and fleets can offer different updates at the same time.
 */
export class WordPressRelay extends FakeParty {
  /** The URL of the fake WordPress.org by the URL of the site. */
  private readonly fakes = new Map<string, string>();

  static start(): Promise<WordPressRelay> {
    return new WordPressRelay().listen();
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST' && request.url === '/fleets') return this.addFleet(request, response);
    // Some requests name the site with a slash at its end.
    const site = /^WordPress\/\S+; (\S+?)\/?$/.exec(request.headers['user-agent'] ?? '')?.[1];
    const fake = this.fakes.get(site ?? '');
    if (fake === undefined) return void response.writeHead(403).end(`No fleet has the site ${site}.`);
    const { method, url = '/', headers } = request;
    const relayed = sendRequest(new URL(url, fake), { method, headers });
    relayed.once('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)));
    relayed.once('error', () => response.destroy());
    request.pipe(relayed);
  }

  /** A fleet that starts says which sites it has, and where its own fake of WordPress.org is. */
  private async addFleet(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sites, wordpressOrg } = FleetUpdates.parse(await json(request));
    for (const site of sites) this.fakes.set(site, wordpressOrg);
    response.writeHead(204).end();
  }
}
