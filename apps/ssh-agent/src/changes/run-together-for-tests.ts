import type { ChangeInput } from '@vigie/contracts/changes';
import type { SshAccess } from '@vigie/contracts/credentials';
import { type JobContext, type JobHandler, nextStep, type Outcome, type StopReason } from '../jobs/job-handler';

/** Stops the worker, or cancels the job with this number, at what is reported or stored. */
type StopAt = (reported: string) => 'handover' | number | undefined;
type Ending = Outcome | 'cancelled' | 'alone';
type TogetherRun = { endings: Ending[]; lines: string[][]; ids: string[]; attempts: number };
type Updates = { ids: string[]; inputs: readonly ChangeInput[]; access: SshAccess; stopAt?: StopAt };

const maxAttempts = 60;

/** Runs updates together as workers do, one attempt after another, each with the last checkpoint of the first job. */
export async function runTogether(handler: JobHandler, { ids, inputs, access, stopAt }: Updates): Promise<TogetherRun> {
  let memo: Record<string, unknown> | null = null;
  const lines: string[][] = inputs.map(() => []);
  const heard = inputs.map(() => 0);
  const cancelled = new Set<number>();
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const leaseEnd = new AbortController();
    const ends = inputs.map(() => new AbortController());
    const stop = (reported: string) => {
      const reason = stopAt?.(reported);
      if (typeof reason === 'number') cancelled.add(reason);
      for (const at of cancelled) ends[at]?.abort('cancelled' satisfies StopReason);
      if (reason !== 'handover') return;
      for (const end of [...ends, leaseEnd]) end.abort(reason);
    };
    for (const at of cancelled) ends[at]?.abort('cancelled');
    let hasCheckpoint = false;
    let isRepeated = false;
    const contextOf = (at: number): JobContext => ({
      job: {
        id: ids[at] ?? '',
        fence: 2 * attempt + 1,
        kind: 'changes.update',
        input: inputs[at],
        access,
        heard: 0,
        was_started: attempt > 0,
        is_cancelling: cancelled.has(at),
        memo: at === 0 ? memo : null,
      },
      signal: ends[at]?.signal ?? leaseEnd.signal,
      leaseSignal: leaseEnd.signal,
      report: (progress, ...newLines) => {
        if (!isRepeated) lines[at]?.push(...newLines);
        for (const reported of [progress?.step, ...newLines]) if (reported !== undefined) stop(reported);
      },
      reportAt: (offset, send) => {
        isRepeated = offset <= (heard[at] ?? 0);
        heard[at] = Math.max(offset, heard[at] ?? 0);
        send();
        isRepeated = false;
      },
      saveCheckpoint: async (saved) => {
        memo = structuredClone(saved);
        hasCheckpoint = true;
        stop(
          `checkpoint ${['looked', 'reason'].filter((key) => saved[key]).join(' ')} ${JSON.stringify(saved['back'])}`,
        );
        leaseEnd.signal.throwIfAborted();
      },
    });
    const [lead, ...companions] = inputs.map((_, at) => contextOf(at));
    if (!lead) throw new Error('no updates');
    try {
      const outcomes = await handler({ ...lead, companions });
      if ('state' in outcomes) throw new Error('the updates were not made together');
      return { endings: ids.flatMap((id) => outcomes.get(id) ?? []), lines, ids, attempts: attempt + 1 };
    } catch (error) {
      const { kind } = nextStep(error, { ...lead, hasCheckpoint });
      if (kind === 'failed' || kind === 'unknown' || kind === 'cancelled') throw error;
    }
  }
  throw new Error(`the updates did not end: ${lines.flat().join('\n')}`);
}
