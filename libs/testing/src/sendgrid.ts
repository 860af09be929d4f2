import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { FakeParty } from './fake-party';

const address = z.string().regex(/^[^\s@]+@[^\s@]+$/);

/** SendGrid's documented schema; unknown fields and wrong values are refused. */
const Message = z.strictObject({
  personalizations: z.tuple([z.strictObject({ to: z.tuple([z.strictObject({ email: address })]) })]),
  from: z.strictObject({ email: address, name: z.string().optional() }),
  subject: z.string().min(1),
  content: z.tuple([
    z.strictObject({ type: z.literal('text/plain'), value: z.string().min(1) }),
    z.strictObject({ type: z.literal('text/html'), value: z.string().min(1) }),
  ]),
});

export type ReceivedMail = {
  to: string;
  from: string;
  sender: string | undefined;
  subject: string;
  text: string;
  html: string;
};

/** A fake SendGrid: accepts one key and keeps mails instead of sending them. `GET /mails` lists them. */
export class FakeSendgrid extends FakeParty {
  readonly mails: ReceivedMail[] = [];
  /** Status codes of the next answers, in order. */
  readonly failures: number[] = [];

  private constructor(private readonly key: string) {
    super();
  }

  static start(key: string): Promise<FakeSendgrid> {
    return new FakeSendgrid(key).listen();
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request;
    if (method === 'GET' && url === '/mails') return reply(response, 200, this.mails);
    if (method !== 'POST' || url !== '/v3/mail/send') return refuse(response, 404, 'not found');
    const failure = this.failures.shift();
    if (failure !== undefined) return refuse(response, failure, 'as the test asked');
    if (headers.authorization !== `Bearer ${this.key}`) {
      return refuse(response, 401, 'The provided authorization grant is invalid, expired, or revoked');
    }
    if (headers['content-type'] !== 'application/json')
      return refuse(response, 415, 'Content-Type should be application/json.');
    const message = Message.safeParse(await readJson(request));
    if (!message.success) return refuse(response, 400, message.error.message);
    this.keep(message.data);
    response.writeHead(202, { 'x-message-id': `${this.mails.length}` }).end();
  }

  private keep({
    personalizations: [
      {
        to: [to],
      },
    ],
    from,
    subject,
    content: [text, html],
  }: z.infer<typeof Message>): void {
    this.mails.push({ to: to.email, from: from.email, sender: from.name, subject, text: text.value, html: html.value });
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const refuse = (response: ServerResponse, status: number, message: string) =>
  reply(response, status, { errors: [{ message, field: null, help: null }] });

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
