import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from '@vigie/testing/product';
import type { Random } from './random';
import type { Stage } from './stage';

/** The longest time that an answer may take; one that waits for Cloudflare may take a minute. */
const timeoutFor = (path: string) => (path.startsWith('/api/cloudflare/') ? 65_000 : 35_000);
/** How long a user retries without an answer; faults are shorter. */
const retryForMs = 90_000;
const retryEveryMs = 300;
/** Statuses of a host or service that is temporarily away. */
const temporaryStatuses: readonly number[] = [429, 502, 503, 504];

type RequestOptions = { body?: object; headers?: Record<string, string> };

export class Person {
  /** The ids of accepted jobs. */
  readonly accepted: string[] = [];
  /** Late answers, and errors of the product. */
  readonly complaints: string[] = [];
  /** The ids of second jobs for the same idempotency key. */
  readonly duplicateIds: string[] = [];
  /** The number of requests without an answer, whose effect is unknown. */
  unansweredCount = 0;
  refusedCount = 0;
  answerCount = 0;

  constructor(
    private readonly stage: Stage,
    private readonly random: Random,
  ) {}

  /** Sends one request, like a polling screen; resolves to undefined without an answer. */
  async sendOnce(
    method: string,
    path: string,
    { body, headers = {} }: RequestOptions = {},
  ): Promise<Answer | undefined> {
    const { product, token } = this.stage;
    const startedAt = performance.now();
    try {
      const at = Math.floor(this.random.next() * product.gateways.length);
      const answer = await product.request(method, path, { token, at, headers, ...(body && { body }) });
      this.answerCount += 1;
      const ms = performance.now() - startedAt;
      if (ms > timeoutFor(path)) this.complaints.push(`${method} ${path} : ${Math.round(ms / 1_000)} s`);
      if (isFault(answer)) this.complaints.push(`${method} ${path} : ${answer.status} ${answer.text.slice(0, 200)}`);
      return answer;
    } catch {
      // A browser tries another gateway when this one is down, but the failure must be quick.
      if (performance.now() - startedAt > timeoutFor(path)) this.complaints.push(`${method} ${path} : sans réponse`);
      return undefined;
    }
  }

  /** Repeats a request with the same idempotency key until there is an answer. */
  async sendUntilAnswered(
    method: string,
    path: string,
    { body, headers = {} }: RequestOptions = {},
  ): Promise<RetriedAnswer> {
    const key = { 'idempotency-key': randomUUID() };
    const options = { ...(body && { body }), headers: { ...key, ...headers } };
    const deadline = performance.now() + retryForMs;
    for (let tries = 1; performance.now() < deadline; tries += 1) {
      const answer = await this.sendOnce(method, path, options);
      if (answer && !temporaryStatuses.includes(answer.status)) {
        if (answer.status >= 400) this.refusedCount += 1;
        return { answer, tries, repeat: () => this.sendOnce(method, path, options) };
      }
      await wait(retryEveryMs);
    }
    this.unansweredCount += 1;
    return { answer: undefined, tries: 0, repeat: async () => undefined };
  }

  /** Orders a job, sometimes twice; resolves to whether it was accepted. */
  async order(path: string, body: object = {}): Promise<boolean> {
    const { answer, repeat } = await this.sendUntilAnswered('POST', path, {
      body,
      headers: { prefer: 'respond-async' },
    });
    const id = readJobId(answer);
    if (id === undefined) return false;
    this.accepted.push(id);
    if (this.random.next() < doubleClickShare) {
      await wait(this.random.between(0, 4_000));
      const other = readJobId(await repeat());
      if (other !== undefined && other !== id) this.duplicateIds.push(other);
    }
    return true;
  }
}

const doubleClickShare = 0.2;

type RetriedAnswer = { answer: Answer | undefined; tries: number; repeat: () => Promise<Answer | undefined> };

function readJobId(answer: Answer | undefined): string | undefined {
  if (!answer || answer.status >= 300) return undefined;
  // A retry answers with the job itself.
  const id = answer.body['job_id'] ?? answer.body['id'];
  return typeof id === 'string' ? id : undefined;
}

/** An administrator must never be refused access, and temporary errors need a sentence. */
const isFault = (answer: Answer) =>
  [401, 403].includes(answer.status) ||
  (answer.status >= 500 && !(temporaryStatuses.includes(answer.status) && hasSentence(answer)));

const hasSentence = ({ body }: Answer) => {
  const { detail } = body;
  return typeof detail === 'string' || typeof Object(detail).message === 'string';
};
