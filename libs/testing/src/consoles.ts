import { WebSocket } from 'ws';
import type { TestProduct } from './product';
import { until } from './until';

export type ConsoleFrame = Record<string, unknown> & { type: string };
/** The gateways of a product, or of one that runs. */
export type ConsoleAccess = Pick<TestProduct, 'request' | 'gateways'>;
type Closed = { code: number; reason: string };
export type ConsoleOptions = {
  /** Of the bearer that asks for the ticket. */
  token?: string;
  ticket?: string;
  query?: Record<string, string | number>;
  /** Without it, any plain client. */
  isOurs?: boolean;
  origin?: string | null;
  at?: number;
  headers?: Record<string, string>;
};

/** Why there was no websocket. */
export class RefusedConsole extends Error {
  constructor(
    readonly status: number,
    readonly detail: unknown,
  ) {
    super(`refused: ${status} ${JSON.stringify(detail)}`);
  }
}

export async function requestTicket(
  product: ConsoleAccess,
  token: string,
  serverId: string,
  options = {},
): Promise<string> {
  const answer = await product.request('POST', `/api/servers/${serverId}/ws-ticket`, { token, body: {}, ...options });
  if (answer.status !== 200) throw new Error(`no ticket: ${answer.status} ${answer.text}`);
  return String(answer.body['ticket']);
}

/** A websocket at a console, and all that came by it. */
export class ConsoleClient {
  readonly frames: ConsoleFrame[] = [];
  /** How many bytes of output came, and those that are kept. */
  received = 0;
  output = Buffer.alloc(0);
  keepsOutput = true;
  /** Acknowledges what comes, as long as it is set. */
  reads = true;
  private acked = 0;
  readonly closed: Promise<Closed>;
  onOutput: ((bytes: Buffer) => void) | undefined;

  private constructor(
    readonly socket: WebSocket,
    private readonly isOurs: boolean,
  ) {
    // Not by `once`, which an error before it rejects: nobody waits for the end of what never opened.
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer, isBinary) => this.take(data, isBinary));
  }

  static async open(product: ConsoleAccess, serverId: string, options: ConsoleOptions): Promise<ConsoleClient> {
    const { isOurs = true, at = 0, query = {}, token = '' } = options;
    const ticket = options.ticket ?? (await requestTicket(product, token, serverId, { at }));
    const base = product.gateways[at] ?? '';
    const url = new URL(`${base.replace('http', 'ws')}/api/servers/${serverId}/ws`);
    const asked: Record<string, string | number> = { ...(ticket !== '' && { ticket }), ...query };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, String(value));
    const origin = options.origin === undefined ? base : options.origin;
    const socket = new WebSocket(url, isOurs ? ['vigie.console.v1'] : [], {
      ...(origin !== null && { origin }),
      ...(options.headers && { headers: options.headers }),
      perMessageDeflate: false,
    });
    const client = new ConsoleClient(socket, isOurs);
    await client.opened();
    return client;
  }

  /** The last of its kind; waits for it, as long as it may come. */
  async frame(type: string): Promise<ConsoleFrame> {
    const last = () => this.frames.findLast((frame) => frame.type === type);
    await until(() => last() !== undefined || this.socket.readyState === this.socket.CLOSED);
    const frame = last();
    if (!frame) throw new Error(`closed without ${type}: ${JSON.stringify(this.frames)}`);
    return frame;
  }

  get text(): string {
    return this.output.toString();
  }

  async sees(text: string): Promise<void> {
    await until(() => this.output.includes(text));
  }

  type(text: string): void {
    this.socket.send(this.isOurs ? Buffer.from(text) : text);
  }

  say(frame: ConsoleFrame): void {
    this.socket.send(JSON.stringify(frame));
  }

  /** As a network that is lost. */
  cut(): void {
    this.socket.terminate();
  }

  acknowledge(): void {
    const from = Number(this.frames.findLast(({ type }) => type === 'attached')?.['from'] ?? 0);
    this.acked = this.received;
    this.say({ type: 'ack', offset: from + this.received });
  }

  private opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.once('open', () => resolve());
      this.socket.once('error', reject);
      this.socket.once('unexpected-response', (_request, response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const isJson = String(response.headers['content-type']).startsWith('application/json');
          reject(new RefusedConsole(response.statusCode ?? 0, isJson ? Object(JSON.parse(text)).detail : text));
        });
      });
    });
  }

  private take(data: Buffer, isBinary: boolean): void {
    if (this.isOurs && !isBinary) {
      this.frames.push(JSON.parse(data.toString()));
      return;
    }
    this.received += data.length;
    if (this.keepsOutput) this.output = Buffer.concat([this.output, data]);
    this.onOutput?.(data);
    if (this.isOurs && this.reads && this.received - this.acked >= 32_768) this.acknowledge();
  }
}
