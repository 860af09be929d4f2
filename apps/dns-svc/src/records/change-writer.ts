import { AppError } from '@vigie/contracts/errors';
import { isDuplicate, ProviderFailure, toAppError } from '../providers/failures';
import type { DnsProvider, ProviderRecord, Write, WrittenRecord } from '../providers/provider';
import { findEffect } from './effects';
import { batchesOf } from './change-batches';
import type { PlannedChange } from './plan';

const batchSize = 100;
/** Cloudflare’s limit on its smallest plan; the changes of one name may fill it. */
const maxBatchSize = 200;
/** No new batch starts after this time, because the person is waiting. */
const maxDurationMs = 8_000;

export type Outcome = {
  planned: PlannedChange;
  state: 'done' | 'refused' | 'waiting' | 'unknown';
  record: ProviderRecord | null;
  error: AppError | null;
};

export type Outcomes = {
  outcomes: Outcome[];
  stopped: AppError | null;
  failure: ProviderFailure | null;
};

const fallbacks = { delete: 'Failed to delete record', edit: 'Failed to save record', create: 'Failed to save record' };

export function stateAfter(before: readonly ProviderRecord[], outcomes: readonly Outcome[]): ProviderRecord[] {
  const records = new Map(before.map((record) => [record.id, record]));
  for (const { state, planned, record } of outcomes) {
    if (state !== 'done' || !planned.write) continue;
    if (planned.write.action === 'delete') records.delete(planned.write.id);
    else if (record) records.set(record.id, record);
  }
  return [...records.values()];
}

export const hasEffect = ({ state, planned }: Outcome): boolean => state === 'done' && planned.write !== null;

type SentChange = PlannedChange & { write: Write };
export const hasWrite = (planned: PlannedChange): planned is SentChange => planned.write !== null;

/**
 * Sends planned changes in batches that apply whole or not at all. An unanswered batch may have been applied, so it is
 * verified before it is sent again. What cannot continue now waits for a repeated request.
 */
export class ChangeWriter {
  private readonly outcomes = new Map<PlannedChange, Outcome>();
  private readonly knownIds: Set<string>;
  private readonly endsAt = performance.now() + maxDurationMs;
  private failure: ProviderFailure | null = null;
  private stopped: AppError | null = null;
  /** Batches that were refused as a whole, perhaps for one change. */
  private readonly refusedBatches: (readonly SentChange[])[] = [];
  private isIsolating = false;

  constructor(
    private readonly provider: DnsProvider,
    private readonly zoneId: string,
    before: readonly ProviderRecord[],
  ) {
    this.knownIds = new Set(before.map(({ id }) => id));
  }

  async run(planned: readonly PlannedChange[]): Promise<Outcomes> {
    await this.sendBatches(batchesOf(planned.filter(hasWrite), batchSize, maxBatchSize), false);
    await this.isolateRefusals();
    const outcomes = planned.map((each) => this.outcomes.get(each) ?? unsentOutcome(each));
    return { outcomes, stopped: this.stopped, failure: this.failure };
  }

  /** Splits refused batches, last of all. A random start gets past the same refusals on a repetition. */
  private async isolateRefusals(): Promise<void> {
    this.isIsolating = true;
    for (const batch of rotateRandomly(this.refusedBatches))
      await this.sendBatches(rotateRandomly(halvesOf(batch)), false);
  }

  private async sendBatches(batches: readonly SentChange[][], isSecond: boolean): Promise<void> {
    for (const batch of batches) if (!this.stopped) await this.send(batch, isSecond);
  }

  private async send(batch: readonly SentChange[], isSecond: boolean): Promise<void> {
    if (performance.now() > this.endsAt) {
      this.stopped = this.isIsolating ? stillIsolating() : outOfTime();
      return;
    }
    try {
      const written = await this.provider.write(
        this.zoneId,
        batch.map(({ write }) => write),
      );
      batch.forEach((planned, at) => this.markDone(planned, written[at] ?? null));
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      await this.resolveFailure(batch, error, isSecond);
    }
  }

  private async resolveFailure(batch: readonly SentChange[], error: ProviderFailure, isSecond: boolean): Promise<void> {
    // A duplicate on the second attempt may mean that the first one was applied.
    if (error.kind === 'uncertain' || (isSecond && isDuplicate(error))) return this.verify(batch, error, isSecond);
    if (error.kind !== 'refused' && error.kind !== 'missing') return this.stop(error, batch);
    // One change is refused, and the answer does not say which.
    const halves = halvesOf(batch);
    if (halves.length > 0 && !this.isIsolating && !isSecond) this.refusedBatches.push(batch);
    else if (halves.length > 0) return this.sendBatches(rotateRandomly(halves), isSecond);
    else for (const planned of batch) this.mark(planned, 'refused', toAppError(error, fallbacks[planned.write.action]));
  }

  /** Verifies a batch that got no answer; what was not applied is sent once more. */
  private async verify(batch: readonly SentChange[], error: ProviderFailure, isSecond: boolean): Promise<void> {
    const records = await this.provider.records(this.zoneId).catch((failure: unknown) => {
      if (failure instanceof ProviderFailure) return undefined;
      throw failure;
    });
    const notApplied = batch.filter((planned) => {
      const effect = records && findEffect(planned.write, records, this.knownIds);
      if (effect !== undefined) this.markDone(planned, effect);
      return effect === undefined;
    });
    if (notApplied.length === 0) return;
    if (records && !isSecond) return this.send(notApplied, true);
    this.stop(error, []);
    for (const planned of notApplied) this.mark(planned, 'unknown', unverified());
  }

  private markDone(planned: SentChange, record: WrittenRecord): void {
    if (record) this.knownIds.add(record.id);
    this.outcomes.set(planned, { planned, state: 'done', record, error: null });
  }

  private mark(planned: SentChange, state: Outcome['state'], error: AppError): void {
    this.outcomes.set(planned, { planned, state, record: null, error });
  }

  private stop(failure: ProviderFailure, batch: readonly SentChange[]): void {
    this.failure = failure;
    this.stopped = toAppError(failure, 'Failed to save record');
    for (const planned of batch) this.mark(planned, 'waiting', this.stopped);
  }
}

/** Returns no halves for a single change, or when a name could lose its record for a refused one. */
function halvesOf(batch: readonly SentChange[]): SentChange[][] {
  const half = Math.ceil(batch.length / 2);
  const halves = batchesOf(batch, half, batch.length);
  if (halves.length > 1) return halves;
  const isOfOneKind = new Set(batch.map(({ write }) => write.action)).size === 1;
  return batch.length > 1 && isOfOneKind ? [batch.slice(0, half), batch.slice(half)] : [];
}

function rotateRandomly<T>(all: readonly T[]): T[] {
  const start = Math.floor(Math.random() * all.length);
  return [...all.slice(start), ...all.slice(0, start)];
}

const stillIsolating = () =>
  new AppError(
    'too_many',
    'Cloudflare refuse certains de ces changements, et Vigie cherche encore lesquels\u00a0: le reste attend. Relancez pour continuer.',
    { retryAfter: 1 },
  );

const outOfTime = () =>
  new AppError('too_many', 'Cloudflare répond lentement\u00a0: le reste attend. Relancez pour continuer.', {
    retryAfter: 1,
  });

const unverified = () =>
  new AppError(
    'remote_too_slow',
    'Cloudflare n’a pas répondu, et ce qui a été fait n’a pas pu être vérifié. Regardez la zone avant de recommencer.',
  );

/** Returns the outcome of a change that was not sent: refused beforehand, already applied, or not reached. */
export function unsentOutcome(planned: PlannedChange): Outcome {
  const { refusal, action } = planned.difference;
  const code = planned.isClash ? 'conflict' : 'invalid';
  if (refusal !== null) return { planned, state: 'refused', record: null, error: new AppError(code, refusal) };
  if (action === 'none') return { planned, state: 'done', record: planned.before, error: null };
  return { planned, state: 'waiting', record: null, error: null };
}
