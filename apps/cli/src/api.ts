import { setTimeout as wait } from 'node:timers/promises';
import { callOf, type CallRequest, type Fields, type Received, receivedOf, startsJob } from '@vigie/contracts/calls';
import type { Contract } from '@vigie/contracts/contract';
import type { ErrorDetail } from '@vigie/contracts/errors';
import { countsOf, detailOf, parseCount } from '@vigie/contracts/responses';
import { z } from 'zod';
import type { Access } from './config';
import { type Ending, Failure, mayRecover } from './failures';
import { onInterrupt } from './interrupts';
import { same, type Words } from './language';

// Each schema is used once or twice here: compiling it would take longer than reading with it.
z.config({ jitless: true });

/** `raw` is the answer as it came, with the fields that this release does not know. */
type Answer<C extends Contract> = { data: Received<C>; raw: unknown };

/** For how long a reading is repeated while the server does not answer, and who is told of it. */
export type Patience = { ms: number; tell: (failure: Failure) => void };

const maxTries = 4;
const maxWaitSeconds = 60;
const maxPauseSeconds = 15;

/** Before these, no byte of the request has left. */
const isUnsent = (code: string): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].includes(code) ||
  isNotTrusted(code);

const isUnknownName = (code: string): boolean => code === 'ENOTFOUND' || code === 'EAI_AGAIN';

const isNotTrusted = (code: string): boolean => /CERT|_TLS_|SSL/.test(code);

const endingOf = (status: number): Exclude<Ending, 'done'> => {
  if ([401, 403, 409, 429].includes(status)) return 'refused';
  return status >= 400 && status < 500 ? 'usage' : 'failed';
};

/** Calls Vigie by its contracts: the address, the query and the body come from the contract, and so does the check of the answer. */
export class Api {
  private hasAnswered = false;
  /** Whether an order was sent, even if nobody knows what became of it. */
  hasOrdered = false;

  /** `end` ends the program when it is interrupted while an order is on its way. */
  constructor(
    private readonly access: Pick<Access, 'url'> & Partial<Access>,
    private readonly end?: (failure: Failure) => void,
    private readonly patience?: Patience,
  ) {}

  async call<C extends Contract>(contract: C, fields: Fields<C>): Promise<Received<C>> {
    return (await this.answer(contract, fields)).data;
  }

  async answer<C extends Contract>(contract: C, fields: Fields<C>): Promise<Answer<C>> {
    const request = callOf(contract, fields);
    const key = request.method === 'GET' ? undefined : crypto.randomUUID();
    const isOrder = key !== undefined && contract.changes.length > 0;
    this.hasOrdered ||= isOrder;
    const release = isOrder && this.end ? onInterrupt(() => this.end?.(lostOrder(interrupted))) : undefined;
    const answer = isOrder ? this.order(contract, request, key) : this.read(contract, request, key);
    return answer.finally(release);
  }

  /** Repeats what changes nothing through outages that are shorter than the patience, and for as long as the server asks. */
  private async read<C extends Contract>(contract: C, request: CallRequest, key?: string): Promise<Answer<C>> {
    const since = performance.now();
    for (let seconds = 1; ; seconds = Math.min(seconds * 2, maxPauseSeconds)) {
      try {
        return await this.send(contract, request, key);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        await wait(this.pauseAfter(error, seconds * 1_000, performance.now() - since));
      }
    }
  }

  /** How long to wait before the next try, in milliseconds. Throws the failure when there is none. */
  private pauseAfter(failure: Failure, usualMs: number, spentMs: number): number {
    const { retryAfter } = failure.about;
    const patienceMs = this.patience?.ms ?? 0;
    const toldMs = (retryAfter ?? 0) * 1_000;
    const leftMs = (retryAfter === undefined ? patienceMs : Math.max(patienceMs, maxWaitSeconds * 1_000)) - spentMs;
    if (!mayRecover(failure) || leftMs <= 0 || toldMs > leftMs) throw failure;
    this.patience?.tell(failure);
    return Math.min(Math.max(usualMs, toldMs), leftMs);
  }

  /** Repeats an order for a job whose answer was lost, which its key keeps from being done twice. */
  private async order<C extends Contract>(contract: C, request: CallRequest, key?: string): Promise<Answer<C>> {
    let wasLost = false;
    for (let tries = 1; ; tries++) {
      try {
        return await this.send(contract, request, key);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        wasLost ||= error.about.isLost === true;
        const mayRepeat = startsJob(contract) && error.about.isLost === true;
        const seconds = error.about.retryAfter ?? 2 ** (tries - 1);
        if (!mayRepeat || tries >= maxTries || seconds > maxWaitSeconds) throw wasLost ? lostOrder(error) : error;
        await wait(seconds * 1_000);
      }
    }
  }

  private async send<C extends Contract>(contract: C, request: CallRequest, key?: string): Promise<Answer<C>> {
    const response = await this.fetch(request, key);
    this.hasAnswered = true;
    const { status, headers } = response;
    const body = await readJson(response).catch(() => {
      throw this.notReached('ECONNRESET');
    });
    if (status >= 300 && status < 400) throw movedTo(headers.get('location') ?? '');
    if (!response.ok) throw refusal(status, body, parseCount(headers.get('retry-after')));
    const parsed = request.output.safeParse(body);
    if (parsed.success) return { data: receivedOf(contract, parsed.data, countsOf(headers)), raw: body };
    throw misshapen(
      contract,
      parsed.error.issues.map((issue) => issue.path.join('.')),
    );
  }

  private async fetch({ method, path, body, timeoutMs }: CallRequest, key: string | undefined): Promise<Response> {
    const { url, token } = this.access;
    const headers = {
      accept: 'application/json',
      // The answer is then the ticket of a job, which is followed.
      prefer: 'respond-async',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      // The token must not follow a redirection to another address.
      const init = { method, headers, signal, redirect: 'manual' } as const;
      return await fetch(`${url}/api${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) });
    } catch (error) {
      throw this.notReached(codeOf(error));
    }
  }

  private notReached(code: string): Failure {
    const { url } = this.access;
    return new Failure(
      'failed',
      { fr: `Vigie ne répond pas à ${url} (${code}).`, en: `Vigie does not answer at ${url} (${code}).` },
      // A name that was never found is rather a misspelt one than a lost connection.
      {
        status: 0,
        isLost: !isUnsent(code),
        isWrongAddress: isNotTrusted(code) || (!this.hasAnswered && isUnknownName(code)),
      },
    );
  }
}

function codeOf(error: unknown): string {
  const { cause, name } = error as { cause?: { code?: unknown }; name?: string };
  return typeof cause?.code === 'string' ? cause.code : name === 'TimeoutError' ? 'ETIMEDOUT' : 'ECONNRESET';
}

async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return {};
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const movedTo = (location: string): Failure =>
  new Failure('failed', {
    fr: `Cette adresse renvoie vers ${location}\u00a0: donnez l’adresse de Vigie elle-même.`,
    en: `This address redirects to ${location}: give the address of Vigie itself.`,
  });

/** The server's sentence, with what it advises. */
function sentenceOf(detail: ErrorDetail): string {
  if (typeof detail === 'string') return detail;
  const { message, remedy, stderr, code } = detail;
  return [message, remedy, stderr?.trim(), code === undefined ? '' : `(${code})`].filter(Boolean).join(' ');
}

function refusal(status: number, body: unknown, retryAfter: number | undefined): Failure {
  const detail = detailOf(body);
  const words: Words =
    detail === undefined
      ? { fr: `Le serveur répond ${status}.`, en: `The server answers ${status}.` }
      : same(sentenceOf(detail));
  const mayWait = status === 429 || status === 503;
  const about = { status, detail, isLost: status >= 500, ...(mayWait && { retryAfter: retryAfter ?? 1 }) };
  return new Failure(endingOf(status), words, about);
}

function misshapen(contract: Contract, fields: readonly string[]): Failure {
  const names = [...new Set(fields)].slice(0, 5).join(', ');
  return new Failure(
    'failed',
    {
      fr: `La réponse à ${contract.name} n’est pas celle attendue (${names}). Prenez la version de vigie que sert ce serveur.`,
      en: `The answer to ${contract.name} is not as expected (${names}). Get the release of vigie that this server offers.`,
    },
    { isLost: true },
  );
}

const interrupted = new Failure('failed', { fr: 'Interrompu.', en: 'Interrupted.' });

/** An order was sent and not answered: it may have been accepted. */
const lostOrder = ({ words, about }: Failure): Failure =>
  new Failure(
    'unknown',
    {
      fr: `${words.fr} L’ordre est peut-être parti\u00a0: regardez «\u00a0vigie jobs\u00a0» avant de le redonner.`,
      en: `${words.en} The order may have been accepted: look at “vigie jobs” before you repeat it.`,
    },
    about,
  );
