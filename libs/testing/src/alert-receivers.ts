import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { alertFault, type Fault, type ReceivedAlert, type ReceiverKind } from './alert-receivers/faults';
import { FakeParty } from './fake-party';

/** How a receiver answers instead of taking the message. */
type PlannedAnswer = {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Sends no answer. */
  isSilent?: boolean;
  /** Sends a byte of its answer now and then, without an end. */
  drips?: boolean;
  /** Sends as much as the other side takes, without an end. */
  isEndless?: boolean;
  /** Cuts the connection in the middle of the answer. */
  isCut?: boolean;
  redirectsTo?: string;
  /** How many of the next requests are answered so; one by default. */
  times?: number;
};

const paths: Readonly<Record<Exclude<ReceiverKind, 'telegram'>, string>> = {
  webhook: '/webhook/adresse-secrète',
  slack: '/slack/services/T0/B0/jeton-secret',
  discord: '/discord/api/webhooks/1/jeton-secret',
  teams: '/teams/workflows/jeton-secret?sig=signature-secrète',
  google_chat: '/google_chat/v1/spaces/AAA/messages?key=clé-secrète&token=jeton-secret',
  ntfy: '/ntfy-sujet',
};
const heartbeatPath = '/ping/jeton-du-signe-de-vie';
const answers: Readonly<Record<ReceiverKind, [status: number, body: string]>> = {
  webhook: [200, ''],
  slack: [200, 'ok'],
  discord: [204, ''],
  teams: [202, ''],
  google_chat: [200, '{"name":"spaces/AAA/messages/1"}'],
  telegram: [200, '{"ok":true,"result":{"message_id":1}}'],
  ntfy: [200, '{"id":"1","event":"message"}'],
};

/**
 * Fakes of all kinds of receivers of alerts, on one local port. They refuse what the real ones refuse, and text in which
 * a name mentions, formats or links; they keep what they took, in order.
 */
export class AlertReceivers extends FakeParty {
  /** The secret that signs messages to the webhook. */
  webhookSecret = 'whsec_c2VjcmV0LWRlLXRlc3QtZGUtMzItb2N0ZXRzLWVudg==';
  /** The token that ntfy wants; without one it takes messages without a token only. */
  ntfyToken: string | null = null;
  readonly telegramToken = '123456:jeton-secret-du-robot-de-test';
  /** Requests to no receiver, or refused with the reason, as `404 GET /x`. */
  readonly refusals: string[] = [];
  private readonly alerts: ReceivedAlert[] = [];
  private readonly planned = new Map<ReceiverKind | 'heartbeat', PlannedAnswer[]>();
  /** How many signs of life came, also those that were answered by a failure. */
  calls = 0;

  static start = (): Promise<AlertReceivers> => new AlertReceivers().listen();

  /** The address to give to a channel; of Telegram that of its API, for `VIGIE_TELEGRAM_URL`. */
  urlOf(kind: ReceiverKind): string {
    return kind === 'telegram' ? this.url : new URL(paths[kind], this.url).href;
  }

  /** The address of a service that wants signs of life. */
  get heartbeatUrl(): string {
    return new URL(heartbeatPath, this.url).href;
  }

  /** The messages that arrived as they should, in order, also those that were answered by a failure. */
  received(kind: ReceiverKind): readonly ReceivedAlert[] {
    return this.alerts.filter((alert) => alert.kind === kind);
  }

  /** Answers the next message in another way. */
  answerNext(kind: ReceiverKind | 'heartbeat', { times = 1, ...planned }: PlannedAnswer): void {
    const waiting = this.planned.get(kind) ?? [];
    this.planned.set(kind, [...waiting, ...Array.from({ length: times }, () => planned)]);
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.url === heartbeatPath && request.method === 'GET' && body === '') return this.answerCall(response);
    const kind = this.kindOf(request.url ?? '');
    if (kind === undefined) return this.refuse(request, response, [404, 'no receiver']);
    const alert = { kind, at: new Date(), headers: request.headers, body };
    const { webhookSecret, ntfyToken } = this;
    const fault: Fault | undefined =
      request.method === 'POST' ? alertFault(alert, { webhookSecret, ntfyToken }) : [405, 'not POST'];
    if (fault) return this.refuse(request, response, fault);
    this.alerts.push(alert);
    const planned = this.planned.get(kind)?.shift();
    if (planned) return answerAs(planned, response);
    const [status, answer] = answers[kind];
    response.writeHead(status).end(answer);
  }

  private answerCall(response: ServerResponse): void {
    this.calls += 1;
    answerAs(this.planned.get('heartbeat')?.shift() ?? { body: 'OK' }, response);
  }

  private kindOf(path: string): ReceiverKind | undefined {
    if (path === `/bot${this.telegramToken}/sendMessage`) return 'telegram';
    const kinds = Object.keys(paths) as (keyof typeof paths)[];
    return kinds.find((kind) => this.urlOf(kind) === `${this.url}${path}`);
  }

  private refuse({ method, url }: IncomingMessage, response: ServerResponse, [status, reason]: Fault): void {
    this.refusals.push(`${status} ${method} ${url}: ${reason}`);
    response.writeHead(status, { 'content-type': 'text/plain' }).end(reason);
  }
}

function answerAs(planned: PlannedAnswer, response: ServerResponse): void {
  const { status = 200, headers = {}, body = '', isSilent, drips, isEndless, isCut, redirectsTo } = planned;
  if (isSilent) return;
  if (redirectsTo !== undefined) return void response.writeHead(307, { location: redirectsTo }).end();
  if (drips) return drip(response, status);
  if (isEndless) return flood(response, status);
  if (!isCut) return void response.writeHead(status, headers).end(body);
  response.writeHead(status, { ...headers, 'content-length': '1000' });
  response.write('…', () => response.destroy());
}

function drip(response: ServerResponse, status: number): void {
  response.writeHead(status);
  const timer = setInterval(() => response.write('x'), 100);
  response.on('close', () => clearInterval(timer));
}

function flood(response: ServerResponse, status: number): void {
  response.writeHead(status);
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}
