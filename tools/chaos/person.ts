import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from '@vigie/testing/product';
import type { Random } from './random';
import type { Stage } from './stage';

/** No answer takes longer; one that waits for Cloudflare may take a minute. */
const patienceOf = (path: string) => (path.startsWith('/api/cloudflare/') ? 65_000 : 35_000);
/** Until somebody who got no answer gives up: faults of a trial are over before. */
const insistMs = 90_000;
const againMs = 300;
/** A host that is away, or a service: said in a sentence, and asked again. */
const passing: readonly number[] = [429, 502, 503, 504];

type Asking = { body?: object; headers?: Record<string, string> };

/** Somebody who uses the product by its doors, and complains about them. */
export class Person {
  /** Ids of work that was accepted. */
  readonly accepted: string[] = [];
  /** Answers that took longer than any deadline, or that were a fault of the product. */
  readonly complaints: string[] = [];
  /** Ids that were given for what had one already. */
  readonly doubled: string[] = [];
  /** Requests that nobody answered in time: what came of them is not known. */
  unsure = 0;
  /** What was refused with a reason. */
  refused = 0;
  answers = 0;

  constructor(
    private readonly stage: Stage,
    private readonly random: Random,
  ) {}

  /** As a screen that looks again by itself: undefined where nobody answered. */
  async once(method: string, path: string, { body, headers = {} }: Asking = {}): Promise<Answer | undefined> {
    const { product, token } = this.stage;
    const since = performance.now();
    try {
      const at = Math.floor(this.random.next() * product.gateways.length);
      const answer = await product.request(method, path, { token, at, headers, ...(body && { body }) });
      this.answers += 1;
      const ms = performance.now() - since;
      if (ms > patienceOf(path)) this.complaints.push(`${method} ${path} : ${Math.round(ms / 1_000)} s`);
      if (isFault(answer)) this.complaints.push(`${method} ${path} : ${answer.status} ${answer.text.slice(0, 200)}`);
      return answer;
    } catch {
      // That gateway is down: a browser tries again. But it does not wait for ever to be told so.
      if (performance.now() - since > patienceOf(path)) this.complaints.push(`${method} ${path} : sans réponse`);
      return undefined;
    }
  }

  /** As somebody who wants it done: the same again, under the same key, until there is an answer. */
  async insist(method: string, path: string, { body, headers = {} }: Asking = {}): Promise<Insisted> {
    const key = { 'idempotency-key': randomUUID() };
    const asked = { ...(body && { body }), headers: { ...key, ...headers } };
    const until = performance.now() + insistMs;
    for (let tries = 1; performance.now() < until; tries += 1) {
      const answer = await this.once(method, path, asked);
      if (answer && !passing.includes(answer.status)) {
        if (answer.status >= 400) this.refused += 1;
        return { answer, tries, again: () => this.once(method, path, asked) };
      }
      await wait(againMs);
    }
    this.unsure += 1;
    return { answer: undefined, tries: 0, again: async () => undefined };
  }

  /** Work on a host; whether it was accepted. Some press twice. */
  async order(path: string, body: object = {}): Promise<boolean> {
    const { answer, again } = await this.insist('POST', path, { body, headers: { prefer: 'respond-async' } });
    const id = jobOf(answer);
    if (id === undefined) return false;
    this.accepted.push(id);
    if (this.random.next() < pressesTwice) {
      await wait(this.random.between(0, 4_000));
      const other = jobOf(await again());
      if (other !== undefined && other !== id) this.doubled.push(other);
    }
    return true;
  }
}

const pressesTwice = 0.2;

type Insisted = { answer: Answer | undefined; tries: number; again: () => Promise<Answer | undefined> };

function jobOf(answer: Answer | undefined): string | undefined {
  if (!answer || answer.status >= 300) return undefined;
  // A retry answers with the job itself.
  const id = answer.body['job_id'] ?? answer.body['id'];
  return typeof id === 'string' ? id : undefined;
}

/** Whoever is logged in and may do all is never told otherwise; what is away is said in a sentence. */
const isFault = (answer: Answer) =>
  [401, 403].includes(answer.status) ||
  (answer.status >= 500 && !(passing.includes(answer.status) && hasSentence(answer)));

const hasSentence = ({ body }: Answer) => {
  const { detail } = body;
  return typeof detail === 'string' || typeof Object(detail).message === 'string';
};
