import type { ChangeInput } from '@vigie/contracts/changes';
import type { SshAccess } from '@vigie/contracts/credentials';
import { type JobContext, type JobHandler, nextStep, type Outcome, type StopReason } from '../jobs/job-handler';

/** Stops the worker, or cancels the job with this number, at what is reported or stored. */
type StopAt = (reported: string, memo: Record<string, unknown> | null) => 'handover' | number | undefined;
type Ending = Outcome | 'cancelled' | 'alone';
type TogetherRun = { endings: Ending[]; lines: string[][]; attempts: number };
type Updates = { ids: string[]; inputs: readonly ChangeInput[]; access: SshAccess; stopAt?: StopAt };

const maxAttempts = 60;

/** Runs updates together as workers do, one attempt after another, each with the last checkpoint of the first job. */
export async function runTogether(handler: JobHandler, updates: Updates): Promise<TogetherRun> {
  const { ids } = updates;
  const record: RunRecord = { memo: null, lines: ids.map(() => []), heard: ids.map(() => 0), cancelled: new Set() };
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const trial = new Attempt(updates, record, attempt);
    const [lead, ...companions] = ids.map((_, at) => trial.contextOf(at));
    if (!lead) throw new Error('no updates');
    try {
      const outcomes = await handler({ ...lead, companions });
      if ('state' in outcomes) throw new Error('the updates were not made together');
      const endings = ids.flatMap((id) => outcomes.get(id) ?? []);
      return { endings, lines: record.lines, attempts: attempt + 1 };
    } catch (error) {
      const { kind } = nextStep(error, { ...lead, hasCheckpoint: trial.hasCheckpoint });
      if (kind === 'failed' || kind === 'unknown' || kind === 'cancelled') throw error;
    }
  }
  throw new Error(`the updates did not end: ${record.lines.flat().join('\n')}`);
}

/** What stays from one attempt to the next. */
type RunRecord = {
  memo: Record<string, unknown> | null;
  lines: string[][];
  /** The byte of the operation's progress up to which the lines of each job are known. */
  heard: number[];
  cancelled: Set<number>;
};

class Attempt {
  hasCheckpoint = false;
  private readonly leaseEnd = new AbortController();
  private readonly jobEnds: AbortController[];
  private isRepeated = false;

  constructor(
    private readonly updates: Updates,
    private readonly record: RunRecord,
    private readonly number: number,
  ) {
    this.jobEnds = updates.ids.map(() => new AbortController());
    this.cancel();
  }

  contextOf(at: number): JobContext {
    const { record, leaseEnd } = this;
    return {
      job: this.jobOf(at),
      signal: this.jobEnds[at]?.signal ?? leaseEnd.signal,
      leaseSignal: leaseEnd.signal,
      report: (progress, ...lines) => {
        if (!this.isRepeated) record.lines[at]?.push(...lines);
        for (const reported of [progress?.step, ...lines]) if (reported !== undefined) this.stopAt(reported);
      },
      reportAt: (offset, send) => {
        this.isRepeated = offset <= (record.heard[at] ?? 0);
        record.heard[at] = Math.max(offset, record.heard[at] ?? 0);
        send();
        this.isRepeated = false;
      },
      saveCheckpoint: async (saved) => {
        record.memo = structuredClone(saved);
        this.hasCheckpoint = true;
        const phases = ['looked', 'reason'].filter((key) => saved[key]);
        this.stopAt(`checkpoint ${phases.join(' ')} ${JSON.stringify(saved['back'])}`);
        leaseEnd.signal.throwIfAborted();
      },
    };
  }

  private jobOf(at: number): JobContext['job'] {
    const { ids, inputs, access } = this.updates;
    return {
      id: ids[at] ?? '',
      fence: 2 * this.number + 1,
      kind: 'changes.update',
      input: inputs[at],
      access,
      heard: 0,
      was_started: this.number > 0,
      is_cancelling: this.record.cancelled.has(at),
      memo: at === 0 ? this.record.memo : null,
    };
  }

  private stopAt(reported: string): void {
    const reason = this.updates.stopAt?.(reported, this.record.memo);
    if (typeof reason === 'number') this.record.cancelled.add(reason);
    this.cancel();
    if (reason === 'handover') for (const end of [...this.jobEnds, this.leaseEnd]) end.abort(reason);
  }

  private cancel(): void {
    for (const at of this.record.cancelled) this.jobEnds[at]?.abort('cancelled' satisfies StopReason);
  }
}
