import type { IncomingMessage, ServerResponse } from 'node:http';
import { FakeParty } from './fake-party';

type PlannedAnswer = { status?: number; headers?: Record<string, string>; body?: unknown };

const suffixes = ['fr', 'xn--p1ai'];
const bootstrapPath = '/rdap/dns.json';
const domainPath = /^\/rdap\/[a-z\d-]+\/domain\/([^/?]+)$/;

/** A fake of a registry that speaks RDAP, and of the list that names it. It takes what the real ones take. */
export class FakeRegistry extends FakeParty {
  /** The names that were asked for, in order. */
  readonly questions: string[] = [];
  /** Requests that no registry answers, as `POST /x`. */
  readonly refusals: string[] = [];
  /** How often the list was read. */
  lists = 0;
  /** The most questions that were open at once. */
  mostOpen = 0;
  private open = 0;
  private readonly answers = new Map<string, PlannedAnswer>();
  private readonly stalled = new Set<string>();

  static start = (): Promise<FakeRegistry> => new FakeRegistry().listen();

  get listUrl(): string {
    return `${this.url}${bootstrapPath}`;
  }

  /** Says when a domain ends, until another answer is planned. */
  register(name: string, expiresAt: string, registrar = 'OVH'): void {
    this.plan(name, { body: aDomain(name, expiresAt, registrar) });
  }

  plan(name: string, answer: PlannedAnswer): void {
    this.answers.set(name, answer);
  }

  /** Never answers for this name. */
  stall(name: string): void {
    this.stalled.add(name);
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request;
    const name = domainPath.exec(url)?.[1];
    const isFair =
      method === 'GET' &&
      headers['user-agent']?.startsWith('Vigie/') &&
      headers.accept?.includes('application/rdap+json');
    if (!isFair || (url !== bootstrapPath && name === undefined)) {
      this.refusals.push(`${method} ${url}`);
      return send(response, { status: 400, body: { errorCode: 400 } });
    }
    if (name === undefined) {
      this.lists += 1;
      const services = suffixes.map((suffix) => [[suffix], [`${this.url}/rdap/${suffix}/`]]);
      return send(response, { body: { version: '1.0', services } });
    }
    await this.tell(name, response);
  }

  private async tell(name: string, response: ServerResponse): Promise<void> {
    this.questions.push(name);
    if (this.stalled.has(name)) return;
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    // Two questions at once would meet here.
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.open -= 1;
    send(response, this.answers.get(name) ?? { status: 404, body: { errorCode: 404 } });
  }
}

function send(response: ServerResponse, { status = 200, headers = {}, body = '' }: PlannedAnswer): void {
  response.writeHead(status, { 'content-type': 'application/rdap+json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** What a registry says of a domain, shortened. */
export const aDomain = (name: string, expiresAt: string, registrar = 'OVH') => ({
  objectClassName: 'domain',
  ldhName: name.toUpperCase(),
  events: [
    { eventAction: 'registration', eventDate: '2010-03-03T10:00:00Z' },
    { eventAction: 'expiration', eventDate: expiresAt },
  ],
  entities: [
    { objectClassName: 'entity', roles: ['technical'] },
    {
      objectClassName: 'entity',
      roles: ['registrar'],
      vcardArray: [
        'vcard',
        [
          ['version', {}, 'text', '4.0'],
          ['fn', {}, 'text', registrar],
        ],
      ],
    },
  ],
});
