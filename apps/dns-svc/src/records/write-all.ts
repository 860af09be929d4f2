import { AppError } from '@vigie/contracts/errors';
import { isDuplicate, ProviderFailure, toAppError } from '../providers/failures';
import type { DnsProvider, HeldRecord, Write, Written } from '../providers/provider';
import { effectOf } from './effects';
import { partsOf } from './parts';
import type { Planned } from './plan';

const perPart = 100;
/** Cloudflare’s limit on its smallest plan; the changes of one name may fill it. */
const maxPerPart = 200;
/** No new batch starts after this time, because the person is waiting. */
const patienceMs = 8_000;

export type Outcome = {
  planned: Planned;
  state: 'done' | 'refused' | 'waiting' | 'unknown';
  record: HeldRecord | null;
  error: AppError | null;
};

export type Outcomes = {
  outcomes: Outcome[];
  /** Why writing stopped before the end. */
  stopped: AppError | null;
  /** The provider’s failure, when it was the reason. */
  failure: ProviderFailure | null;
};

const fallbacks = { delete: 'Failed to delete record', edit: 'Failed to save record', create: 'Failed to save record' };

/** Returns the records of a zone after these outcomes. */
export function stateAfter(before: readonly HeldRecord[], outcomes: readonly Outcome[]): HeldRecord[] {
  const records = new Map(before.map((record) => [record.id, record]));
  for (const { state, planned, record } of outcomes) {
    if (state !== 'done' || !planned.write) continue;
    if (planned.write.action === 'delete') records.delete(planned.write.id);
    else if (record) records.set(record.id, record);
  }
  return [...records.values()];
}

export const hasEffect = ({ state, planned }: Outcome): boolean => state === 'done' && planned.write !== null;

type Sent = Planned & { write: Write };
export const isSent = (planned: Planned): planned is Sent => planned.write !== null;

/**
 * Sends planned changes in batches that apply whole or not at all. An unanswered batch may have been applied, so it is
 * verified before it is sent again. What cannot continue now waits for a repeated request.
 */
export class WriteAll {
  private readonly outcomes = new Map<Planned, Outcome>();
  private readonly known: Set<string>;
  private readonly endsAt = performance.now() + patienceMs;
  private failure: ProviderFailure | null = null;
  private stopped: AppError | null = null;
  /** Batches that were refused as a whole, perhaps for one change. */
  private readonly doubtful: (readonly Sent[])[] = [];
  private isNarrowing = false;

  constructor(
    private readonly provider: DnsProvider,
    private readonly zoneId: string,
    before: readonly HeldRecord[],
  ) {
    this.known = new Set(before.map(({ id }) => id));
  }

  async run(planned: readonly Planned[]): Promise<Outcomes> {
    await this.sendEach(partsOf(planned.filter(isSent), perPart, maxPerPart), false);
    await this.narrow();
    const outcomes = planned.map((each) => this.outcomes.get(each) ?? unsent(each));
    return { outcomes, stopped: this.stopped, failure: this.failure };
  }

  /**
   * Splits refused batches once everything else is sent. Starts at a random one: otherwise each repetition would meet
   * the same refusals first.
   */
  private async narrow(): Promise<void> {
    this.isNarrowing = true;
    for (const part of fromAnywhere(this.doubtful)) await this.sendEach(fromAnywhere(halvesOf(part)), false);
  }

  private async sendEach(parts: readonly Sent[][], isSecond: boolean): Promise<void> {
    for (const part of parts) if (!this.stopped) await this.send(part, isSecond);
  }

  private async send(part: readonly Sent[], isSecond: boolean): Promise<void> {
    if (performance.now() > this.endsAt) {
      this.stopped = this.isNarrowing ? stillLooking() : outOfTime();
      return;
    }
    try {
      const written = await this.provider.write(
        this.zoneId,
        part.map(({ write }) => write),
      );
      part.forEach((planned, at) => this.done(planned, written[at] ?? null));
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      await this.miss(part, error, isSecond);
    }
  }

  private async miss(part: readonly Sent[], error: ProviderFailure, isSecond: boolean): Promise<void> {
    // A duplicate on the second attempt may mean that the first one was applied.
    if (error.kind === 'uncertain' || (isSecond && isDuplicate(error))) return this.settle(part, error, isSecond);
    if (error.kind !== 'refused' && error.kind !== 'missing') return this.stop(error, part);
    // One change is refused, and the answer does not say which.
    const halves = halvesOf(part);
    if (halves.length > 0 && !this.isNarrowing && !isSecond) this.doubtful.push(part);
    else if (halves.length > 0) return this.sendEach(fromAnywhere(halves), isSecond);
    else for (const planned of part) this.end(planned, 'refused', toAppError(error, fallbacks[planned.write.action]));
  }

  /** Verifies a batch that got no answer; what was not applied is sent once more. */
  private async settle(part: readonly Sent[], error: ProviderFailure, isSecond: boolean): Promise<void> {
    const records = await this.provider.records(this.zoneId).catch((failure: unknown) => {
      if (failure instanceof ProviderFailure) return undefined;
      throw failure;
    });
    const rest = part.filter((planned) => {
      const effect = records && effectOf(planned.write, records, this.known);
      if (effect !== undefined) this.done(planned, effect);
      return effect === undefined;
    });
    if (rest.length === 0) return;
    if (records && !isSecond) return this.send(rest, true);
    this.stop(error, []);
    for (const planned of rest) this.end(planned, 'unknown', unknown());
  }

  private done(planned: Sent, record: Written): void {
    if (record) this.known.add(record.id);
    this.outcomes.set(planned, { planned, state: 'done', record, error: null });
  }

  private end(planned: Sent, state: Outcome['state'], error: AppError): void {
    this.outcomes.set(planned, { planned, state, record: null, error });
  }

  private stop(failure: ProviderFailure, part: readonly Sent[]): void {
    this.failure = failure;
    this.stopped = toAppError(failure, 'Failed to save record');
    for (const planned of part) this.end(planned, 'waiting', this.stopped);
  }
}

/** Returns no halves for a single change, or when a name could lose its record for a refused one. */
function halvesOf(part: readonly Sent[]): Sent[][] {
  const half = Math.ceil(part.length / 2);
  const halves = partsOf(part, half, part.length);
  if (halves.length > 1) return halves;
  const isOfOneKind = new Set(part.map(({ write }) => write.action)).size === 1;
  return part.length > 1 && isOfOneKind ? [part.slice(0, half), part.slice(half)] : [];
}

/** Rotates the list to a random start. */
function fromAnywhere<T>(all: readonly T[]): T[] {
  const start = Math.floor(Math.random() * all.length);
  return [...all.slice(start), ...all.slice(0, start)];
}

const stillLooking = () =>
  new AppError(
    'too_many',
    'Cloudflare refuse certains de ces changements, et Vigie cherche encore lesquels\u00a0: le reste attend. Relancez pour continuer.',
    { retryAfter: 1 },
  );

const outOfTime = () =>
  new AppError('too_many', 'Cloudflare répond lentement\u00a0: le reste attend. Relancez pour continuer.', {
    retryAfter: 1,
  });

const unknown = () =>
  new AppError(
    'remote_too_slow',
    'Cloudflare n’a pas répondu, et ce qui a été fait n’a pas pu être vérifié. Regardez la zone avant de recommencer.',
  );

/** Returns the outcome of a change that was not sent: refused beforehand, already applied, or not reached. */
export function unsent(planned: Planned): Outcome {
  const { refusal, action } = planned.difference;
  const code = planned.isClash ? 'conflict' : 'invalid';
  if (refusal !== null) return { planned, state: 'refused', record: null, error: new AppError(code, refusal) };
  if (action === 'none') return { planned, state: 'done', record: planned.before, error: null };
  return { planned, state: 'waiting', record: null, error: null };
}
