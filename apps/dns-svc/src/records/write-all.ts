import { AppError } from '@vigie/contracts/errors';
import { isDuplicate, ProviderFailure, toAppError } from '../providers/failures';
import type { DnsProvider, HeldRecord, Write, Written } from '../providers/provider';
import { effectOf } from './effects';
import { partsOf } from './parts';
import type { Planned } from './plan';

const perPart = 100;
/** What Cloudflare takes at once on its smallest plan: as many of one name stay together. */
const maxPerPart = 200;
/** After it nothing more is begun: whoever asked is still waiting. */
const patienceMs = 8_000;

export type Outcome = {
  planned: Planned;
  state: 'done' | 'refused' | 'waiting' | 'unknown';
  record: HeldRecord | null;
  error: AppError | null;
};

export type Outcomes = {
  outcomes: Outcome[];
  /** Why it stopped before its end. */
  stopped: AppError | null;
  /** Where that was the provider. */
  failure: ProviderFailure | null;
};

const fallbacks = { delete: 'Failed to delete record', edit: 'Failed to save record', create: 'Failed to save record' };

/** What they made of a zone. */
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

/** A change that is sent. */
type Sent = Planned & { write: Write };
export const isSent = (planned: Planned): planned is Sent => planned.write !== null;

/**
 * Sends what was planned, in parts that happen whole or not at all. Nothing is sent twice before it was looked for: what
 * got no answer may have been done. What cannot go on now is left for whoever asks again.
 */
export class WriteAll {
  private readonly outcomes = new Map<Planned, Outcome>();
  private readonly known: Set<string>;
  private readonly endsAt = performance.now() + patienceMs;
  private failure: ProviderFailure | null = null;
  private stopped: AppError | null = null;
  /** Refused whole, though but one of them may be why. */
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
   * Once all else is sent, whose tries nobody has to wait for. It begins anywhere: whoever asks again would else come to
   * the same refusals first, and never past them.
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
    // What was sent before without an answer may have come after all.
    if (error.kind === 'uncertain' || (isSecond && isDuplicate(error))) return this.settle(part, error, isSecond);
    if (error.kind !== 'refused' && error.kind !== 'missing') return this.stop(error, part);
    // One of them is refused, and nobody says which.
    const halves = halvesOf(part);
    if (halves.length > 0 && !this.isNarrowing && !isSecond) this.doubtful.push(part);
    else if (halves.length > 0) return this.sendEach(fromAnywhere(halves), isSecond);
    else for (const planned of part) this.end(planned, 'refused', toAppError(error, fallbacks[planned.write.action]));
  }

  /** Looks at what became of a part that got no answer; what was not done is sent once more. */
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

/** None where there is but one, or where a name would lose what it has for something that is refused. */
function halvesOf(part: readonly Sent[]): Sent[][] {
  const half = Math.ceil(part.length / 2);
  const halves = partsOf(part, half, part.length);
  if (halves.length > 1) return halves;
  const isOfOneKind = new Set(part.map(({ write }) => write.action)).size === 1;
  return part.length > 1 && isOfOneKind ? [part.slice(0, half), part.slice(half)] : [];
}

/** In their order, but for where it begins. */
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

/** Refused beforehand, already so, or not reached. */
export function unsent(planned: Planned): Outcome {
  const { refusal, action } = planned.difference;
  const code = planned.isClash ? 'conflict' : 'invalid';
  if (refusal !== null) return { planned, state: 'refused', record: null, error: new AppError(code, refusal) };
  if (action === 'none') return { planned, state: 'done', record: planned.before, error: null };
  return { planned, state: 'waiting', record: null, error: null };
}
