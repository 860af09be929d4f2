import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

export type HostileRequest = {
  /** The kind by which the report counts it. */
  kind: string;
  routeKey: string;
  sender: string;
  /** Whether the request may succeed. */
  mayPass: boolean;
  /** The id of somebody else's object, which the answer must not contain. */
  foreign?: string;
  method: string;
  path: string;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body?: string | Buffer;
  /** Raw bytes that are sent instead of a regular request. */
  wire?: string | Buffer;
};

/** Status 0 means that the connection closed or timed out without an answer. */
export type HttpAnswer = { status: number; text: string; ms: number; retryAfter: string | undefined };

const timeoutMs = 60_000;
const wireTimeoutMs = 20_000;
const maxText = 4_000_000;

/** A client that sends any bytes, from its own local address. */
export class Sender {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private readonly target: { host: string; port: number };

  constructor(
    gateway: string,
    private readonly localAddress: string,
  ) {
    const { hostname, port } = new URL(gateway);
    this.target = { host: hostname, port: Number(port) };
  }

  async send(hostile: HostileRequest): Promise<HttpAnswer> {
    const startedAt = performance.now();
    const answer = hostile.wire === undefined ? await this.sendWithRetry(hostile) : await this.sendBytes(hostile.wire);
    return { ...answer, ms: performance.now() - startedAt };
  }

  close(): void {
    this.agent.destroy();
  }

  /** Retries when a kept-alive connection closes just as it is reused. */
  private async sendWithRetry(hostile: HostileRequest): Promise<Omit<HttpAnswer, 'ms'>> {
    for (;;) {
      const answer = await this.sendOnce(hostile);
      if (answer !== 'stale') return answer;
    }
  }

  private sendOnce({ method, path, headers, body }: HostileRequest): Promise<Omit<HttpAnswer, 'ms'> | 'stale'> {
    return new Promise((resolve) => {
      const options = { ...this.target, localAddress: this.localAddress, agent: this.agent, timeout: timeoutMs };
      const length =
        body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) };
      const request = httpRequest({
        ...options,
        method,
        path,
        headers: { ...length, ...headers } as Record<string, string>,
      });
      let isAnswered = false;
      request.on('response', (response) => {
        isAnswered = true;
        void readBody(response).then((text) =>
          resolve({ status: response.statusCode ?? 0, text, retryAfter: response.headers['retry-after'] }),
        );
      });
      request.on('timeout', () => request.destroy());
      request.on('error', () => {
        if (!isAnswered) resolve(request.reusedSocket ? 'stale' : noAnswer);
      });
      // Sends the body even with methods that have none.
      request.end(body);
    });
  }

  private sendBytes(bytes: string | Buffer): Promise<Omit<HttpAnswer, 'ms'>> {
    return new Promise((resolve) => {
      const parts: Buffer[] = [];
      const socket = connect({ ...this.target, localAddress: this.localAddress, allowHalfOpen: true }, () =>
        socket.end(bytes),
      );
      const finish = () => {
        socket.destroy();
        resolve(parseLastAnswer(Buffer.concat(parts).toString()));
      };
      socket.on('data', (part) => parts.push(part)).on('error', () => undefined);
      socket.setTimeout(wireTimeoutMs, finish);
      socket.on('end', finish).on('close', finish);
    });
  }
}

const noAnswer = { status: 0, text: '', retryAfter: undefined };

async function readBody(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response) {
      length += part.length;
      if (length <= maxText) parts.push(part);
    }
  } catch {
    // The connection was cut; the judge gets what was received.
  }
  return Buffer.concat(parts).toString();
}

/** Reads the last answer; earlier ones belong to well-formed requests before it. */
function parseLastAnswer(text: string): Omit<HttpAnswer, 'ms'> {
  const heads = [...text.matchAll(/HTTP\/1\.1 (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/g)];
  const last = heads.at(-1);
  if (!last) return { ...noAnswer, text };
  const retryAfter = /^retry-after: (.*)$/im.exec(last[2] ?? '')?.[1];
  return { status: Number(last[1]), text: text.slice(last.index + last[0].length), retryAfter };
}
