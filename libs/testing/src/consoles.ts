import { WebSocket } from 'ws';
import type { TestProduct } from './product';
import { until } from './until';

export type ConsoleFrame = Record<string, unknown> & { type: string };
/** The gateways of a test product or of a running one. */
export type ConsoleAccess = Pick<TestProduct, 'request' | 'gateways'>;
type CloseReason = { code: number; reason: string };
export type ConsoleOptions = {
  /** Whether the id is that of a server or of a site. */
  on?: 'servers' | 'sites';
  token?: string;
  ticket?: string;
  query?: Record<string, string | number>;
  /** False for a client without Vigie's console protocol. */
  usesProtocol?: boolean;
  origin?: string | null;
  at?: number;
  headers?: Record<string, string>;
};

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
  id: string,
  { on = 'servers', ...options }: Pick<ConsoleOptions, 'on' | 'at' | 'headers'> = {},
): Promise<string> {
  const answer = await product.request('POST', `/api/${on}/${id}/ws-ticket`, { token, body: {}, ...options });
  if (answer.status !== 200) throw new Error(`no ticket: ${answer.status} ${answer.text}`);
  return String(answer.body['ticket']);
}

/** A websocket to a console, with everything received on it. */
export class ConsoleClient {
  readonly frames: ConsoleFrame[] = [];
  /** Number of output bytes received; `output` has the kept ones. */
  received = 0;
  output = Buffer.alloc(0);
  isOutputKept = true;
  /** Whether output is acknowledged as it arrives. */
  isReading = true;
  private acknowledged = 0;
  readonly closed: Promise<CloseReason>;
  onOutput: ((bytes: Buffer) => void) | undefined;

  private constructor(
    readonly socket: WebSocket,
    private readonly usesProtocol: boolean,
  ) {
    // Not `once`, which would reject after an error, with nobody waiting when the socket never opened.
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
  }

  static async open(product: ConsoleAccess, id: string, options: ConsoleOptions): Promise<ConsoleClient> {
    const { on = 'servers', usesProtocol = true, at = 0, query = {}, token = '' } = options;
    const ticket = options.ticket ?? (await requestTicket(product, token, id, { on, at }));
    const base = product.gateways[at] ?? '';
    const url = new URL(`${base.replace('http', 'ws')}/api/${on}/${id}/ws`);
    const parameters: Record<string, string | number> = { ...(ticket !== '' && { ticket }), ...query };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
    const origin = options.origin === undefined ? base : options.origin;
    const socket = new WebSocket(url, usesProtocol ? ['vigie.console.v1'] : [], {
      ...(origin !== null && { origin }),
      ...(options.headers && { headers: options.headers }),
      perMessageDeflate: false,
    });
    const client = new ConsoleClient(socket, usesProtocol);
    await client.opened();
    return client;
  }

  /** Waits for a frame of a type and returns the last one; throws when the socket closes first. */
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

  async waitForOutput(text: string): Promise<void> {
    await until(() => this.output.includes(text));
  }

  type(text: string): void {
    this.socket.send(this.usesProtocol ? Buffer.from(text) : text);
  }

  sendFrame(frame: ConsoleFrame): void {
    this.socket.send(JSON.stringify(frame));
  }

  cut(): void {
    this.socket.terminate();
  }

  acknowledge(): void {
    const from = Number(this.frames.findLast(({ type }) => type === 'attached')?.['from'] ?? 0);
    this.acknowledged = this.received;
    this.sendFrame({ type: 'ack', offset: from + this.received });
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

  private receive(data: Buffer, isBinary: boolean): void {
    if (this.usesProtocol && !isBinary) {
      this.frames.push(JSON.parse(data.toString()));
      return;
    }
    this.received += data.length;
    if (this.isOutputKept) this.output = Buffer.concat([this.output, data]);
    this.onOutput?.(data);
    if (this.usesProtocol && this.isReading && this.received - this.acknowledged >= 32_768) this.acknowledge();
  }
}
