import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

/** One hostile request, by somebody. */
export type Case = {
  /** Of what kind it is, as the report counts it. */
  kind: string;
  /** The route that it is aimed at. */
  aim: string;
  who: string;
  /** Whether this person may be told that it was done. */
  mayPass: boolean;
  /** What belongs to somebody else and is asked about: an answer with this id in it tells of it. */
  foreign?: string;
  method: string;
  path: string;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body?: string | Buffer;
  /** Instead of all that: these bytes, as no client would write them. */
  wire?: string | Buffer;
};

/** Status 0: the connection ended, or time did, before there was an answer. */
export type Answered = { status: number; text: string; ms: number; retryAfter: string | undefined };

/** Whoever waits longer than this waits for ever. */
const patienceMs = 60_000;
/** What is written by hand has said all it has to say. */
const wirePatienceMs = 20_000;
/** As much of an answer as anybody looks at. */
const maxText = 4_000_000;

/** A client that writes what it is told, from an address of its own. */
export class Sender {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private readonly to: { host: string; port: number };

  constructor(
    gateway: string,
    private readonly from: string,
  ) {
    const { hostname, port } = new URL(gateway);
    this.to = { host: hostname, port: Number(port) };
  }

  async send(sent: Case): Promise<Answered> {
    const since = performance.now();
    const answer = sent.wire === undefined ? await this.ask(sent) : await this.write(sent.wire);
    return { ...answer, ms: performance.now() - since };
  }

  close(): void {
    this.agent.destroy();
  }

  /** A connection that was kept may end as it is used again: that is no answer of anybody's, and is tried anew. */
  private async ask(sent: Case): Promise<Omit<Answered, 'ms'>> {
    for (;;) {
      const answer = await this.askOnce(sent);
      if (answer !== 'stale') return answer;
    }
  }

  private askOnce({ method, path, headers, body }: Case): Promise<Omit<Answered, 'ms'> | 'stale'> {
    return new Promise((resolve) => {
      const options = { ...this.to, localAddress: this.from, agent: this.agent, timeout: patienceMs };
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
        void read(response).then((text) =>
          resolve({ status: response.statusCode ?? 0, text, retryAfter: response.headers['retry-after'] }),
        );
      });
      request.on('timeout', () => request.destroy());
      request.on('error', () => {
        if (!isAnswered) resolve(request.reusedSocket ? 'stale' : nothing);
      });
      // A body is written where none is due too.
      request.end(body);
    });
  }

  private write(bytes: string | Buffer): Promise<Omit<Answered, 'ms'>> {
    return new Promise((resolve) => {
      const parts: Buffer[] = [];
      const socket = connect({ ...this.to, localAddress: this.from, allowHalfOpen: true }, () => socket.end(bytes));
      const over = () => {
        socket.destroy();
        resolve(readWire(Buffer.concat(parts).toString()));
      };
      socket.on('data', (part) => parts.push(part)).on('error', () => undefined);
      socket.setTimeout(wirePatienceMs, over);
      socket.on('end', over).on('close', over);
    });
  }
}

const nothing = { status: 0, text: '', retryAfter: undefined };

async function read(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response) {
      length += part.length;
      if (length <= maxText) parts.push(part);
    }
  } catch {
    // It was cut; what came is looked at.
  }
  return Buffer.concat(parts).toString();
}

/** The last of the answers: those before it are to what was well written. */
function readWire(text: string): Omit<Answered, 'ms'> {
  const heads = [...text.matchAll(/HTTP\/1\.1 (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/g)];
  const last = heads.at(-1);
  if (!last) return { ...nothing, text };
  const retryAfter = /^retry-after: (.*)$/im.exec(last[2] ?? '')?.[1];
  return { status: Number(last[1]), text: text.slice(last.index + last[0].length), retryAfter };
}
