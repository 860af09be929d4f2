import { changeCodes } from '@vigie/contracts/change-codes';
import { ChangeInput } from '@vigie/contracts/changes';
import type { JobError } from '@vigie/contracts/jobs';
import type { FollowResult } from '@vigie/ssh/journal-follow';
import { ChangeDone, type ChangeEnd, type ChangeOrder, tidyTask } from '@vigie/wordpress/change';
import { UpdatesReader, updatesTask } from '@vigie/wordpress/updates';
import type { JobDependencies } from '../job-dependencies';
import { type JobContext, type JointOutcomes, type Outcome, ResumeAt } from '../jobs/job-handler';
import { derivedId } from '../operations/derived-id';
import type { Operations } from '../operations/operations';
import { opcacheMs } from '../site-checks/site-pages';
import type { Verdict } from './checkpoint';
import { describeOtherVersion, doneOutcome, rollbackCopyOf, undoneOutcome } from './outcomes';
import { Preparation, refusalOf } from './preparation';
import { maxRollbacks, runRollback, wasKilled } from './rollback';
import {
  type ChangeSubject,
  healthyLine,
  retryRemedy,
  rollbackFailedError,
  rolledBackError,
  startLine,
  togetherLine,
  tooLateLine,
  updatedAloneLine,
  versionChangedError,
} from './sentences';
import { SiteChecker } from './site-checker';
import { UpdatesCheckpoint } from './updates-checkpoint';
import { endsOf, errorOfEnd, failureOf, interrupted } from './updates-ends';
import { checksOf } from './verdicts';

type UpdatesDependencies = JobDependencies & { operations: Operations };
type Update = { context: JobContext; input: ChangeInput; subject: ChangeSubject };
type Ends = UpdatesCheckpoint['ends'];
type Failures = Map<string, Exclude<ChangeEnd, ChangeDone>>;

/** Whether these updates are made together, or began so in an earlier attempt. */
export const areTogether = ({ job, companions = [] }: JobContext) =>
  companions.length > 0 || (job.memo !== null && 'together' in job.memo);

/**
 * Updates several plugins and themes of one site in one operation, with one check of the site for all. If anything goes
 * wrong, all are rolled back and wait to be updated alone, which shows the one at fault.
 */
export class UpdatesJob {
  private readonly updates: readonly Update[];
  private readonly checker: SiteChecker;
  /** Aborted when any of the updates is cancelled. */
  private readonly signal: AbortSignal;

  constructor(
    private readonly context: JobContext,
    private readonly dependencies: UpdatesDependencies,
  ) {
    this.updates = [context, ...(context.companions ?? [])].map(toUpdate);
    this.signal = AbortSignal.any([context.signal, cancellationOf(this.updates)]);
    const items = this.updates.map(({ input }) => input.item);
    this.checker = new SiteChecker(this.shared, dependencies, { ...this.lead.input, items }, context.leaseSignal);
  }

  async run(): Promise<JointOutcomes> {
    const { memo } = this.context.job;
    try {
      const checkpoint = memo ? UpdatesCheckpoint.parse(memo) : await this.prepare();
      if (!('together' in checkpoint)) return checkpoint;
      if (checkpoint.reason !== null) return await this.rollBack(checkpoint, checkpoint.reason);
      if (checkpoint.looked) return await this.checkAgain(checkpoint, checkpoint.looked);
      return await this.update(checkpoint);
    } catch (error) {
      // A cancellation is thrown only before anything has changed.
      if (error !== 'cancelled' || this.context.leaseSignal.aborted) throw error;
      return this.giveBack({});
    }
  }

  private get lead(): Update {
    const [lead] = this.updates;
    if (!lead) throw new Error('no job leads these updates');
    return lead;
  }

  /** The context of all the jobs: what it reports is in the log of each. */
  private get shared(): JobContext {
    const contexts = this.updates.map(({ context }) => context);
    return {
      ...this.context,
      signal: this.signal,
      report: (progress, ...lines) => {
        for (const { report } of contexts) report(progress, ...lines);
      },
      reportAt: (offset, send) =>
        contexts.reduce(
          (sendRest, { reportAt }) =>
            () =>
              reportAt(offset, sendRest),
          send,
        )(),
    };
  }

  /** Prepares the first checkpoint, or says why no update can start. */
  private async prepare(): Promise<UpdatesCheckpoint | JointOutcomes> {
    this.shared.report(null, togetherLine(this.updates.length));
    try {
      const dependencies = { action: 'update' as const, ...this.dependencies };
      const prepared = await new Preparation(this.shared, dependencies, this.lead.input).run();
      if ('error' in prepared) return this.failAll(prepared.error);
      const { php, path, begun_at, baseline } = prepared.checkpoint;
      const together = this.updates.map(({ context }) => context.job.id);
      const initial = { ends: {}, looked: null, reason: null, back: [], tries: 0 };
      const checkpoint = { together, php, path, begun_at, baseline, ...initial };
      await this.context.saveCheckpoint(checkpoint);
      return checkpoint;
    } catch (error) {
      const failure = refusalOf(error, this.signal);
      if (!failure) throw error;
      return this.failAll(failure);
    }
  }

  private failAll(error: JobError): JointOutcomes {
    return this.outcomes({}, () => ({ state: 'failed', error }));
  }

  /** The outcome of each update; that of a refused one is its refusal. */
  private outcomes(ends: Ends, outcomeOf: (update: Update) => Outcome | 'cancelled' | 'alone'): JointOutcomes {
    return new Map(
      this.updates.map((update) => {
        const { id } = update.context.job;
        const end = ends[id];
        return [id, end?.is === 'refused' ? { state: 'failed', error: end.error } : outcomeOf(update)];
      }),
    );
  }

  /** Nothing is changed, or no longer: what was not cancelled or refused waits to be updated alone. */
  private giveBack(ends: Ends): JointOutcomes {
    return this.outcomes(ends, ({ context }) => (context.signal.aborted ? 'cancelled' : 'alone'));
  }

  private async update(checkpoint: UpdatesCheckpoint): Promise<JointOutcomes> {
    const { reader, followResult } = await this.runOperation(checkpoint);
    if (reader.isApart) {
      this.shared.report(null, updatedAloneLine);
      return this.giveBack({});
    }
    const ends = endsOf(reader);
    const hasChanged = Object.values(ends).some(({ is }) => is === 'done');
    const failure = failureOf(reader);
    // An item may end PHP before anything has changed: those behind it have no end.
    if (!hasChanged && failure === undefined && reader.reached === 'ended')
      return this.giveBack(followResult.wasStopped ? {} : ends);
    const isInterrupted = Object.keys(ends).length < this.updates.length;
    if (failure !== undefined || isInterrupted)
      return this.decide({ ...checkpoint, ends }, failure ?? 'L’opération a été interrompue sur le serveur.');
    if (followResult.outcome === 'unknown') await this.tidy(checkpoint);
    return this.check({ ...checkpoint, ends }, reader);
  }

  private async runOperation(
    checkpoint: UpdatesCheckpoint,
  ): Promise<{ reader: UpdatesReader; followResult: FollowResult }> {
    const { php, path, together } = checkpoint;
    const { id, url } = this.lead.input.site;
    const byJob = new Map(this.updates.map((update) => [update.context.job.id, update]));
    const items = together.flatMap((job) => {
      const { item, to } = byJob.get(job)?.input ?? {};
      return item && item.kind !== 'core' ? { operation: job, item: { ...item, kind: item.kind }, to: to ?? null } : [];
    });
    const { api } = this.dependencies;
    const order = { operation: this.operationOf(checkpoint), site: { id, path, url }, php, api, items };
    const reader = new UpdatesReader(order);
    const followResult = await this.dependencies.operations.run(this.shared, {
      ...updatesTask(order),
      name: 'updates.sh',
      id: order.operation,
      lock: path,
      onLine: (line) => {
        const report = reader.readLine(line);
        const context = report && (byJob.get(report.operation ?? '')?.context ?? this.shared);
        if (report && 'step' in report.progress) context?.report(report.progress);
        else if (report && 'line' in report.progress) context?.report(null, report.progress.line);
      },
      mayHaveStarted: this.context.job.memo !== null,
      mayStop: () => reader.reached === 'nothing' || reader.reached === 'aside',
    });
    return { reader, followResult };
  }

  /** Differs for updates that begin again, whose host would else find the ones before them. */
  private operationOf({ begun_at: begunAt }: UpdatesCheckpoint): string {
    return derivedId(this.context.job.id, `updates of ${begunAt}`);
  }

  /** Puts the rollback copies in place of an operation that was killed once it had reported all its ends. */
  private async tidy(checkpoint: UpdatesCheckpoint): Promise<void> {
    const { leaseSignal } = this.context;
    await this.dependencies.operations.run(
      { ...this.shared, signal: leaseSignal },
      {
        ...tidyTask(this.orderOf(checkpoint, this.lead)),
        name: 'tidy.sh',
        id: derivedId(this.operationOf(checkpoint), 'tidy'),
        lock: checkpoint.path,
        mayHaveStarted: true,
      },
    );
  }

  private orderOf(checkpoint: UpdatesCheckpoint, { context, input: { site, item, to } }: Update): ChangeOrder {
    return {
      operation: context.job.id,
      together: this.operationOf(checkpoint),
      site: { id: site.id, path: checkpoint.path, url: site.url },
      php: checkpoint.php,
      api: this.dependencies.api,
      action: 'update',
      item,
      to,
      activate: false,
      package: null,
      rollbackCopyId: null,
    };
  }

  private async check(checkpoint: UpdatesCheckpoint, { logs, starts }: UpdatesReader): Promise<JointOutcomes> {
    this.step('Vérification');
    const { reason, places } = await this.checker.look(checkpoint, logs);
    if (reason !== undefined) return this.decide(checkpoint, `Le site va moins bien\u00a0: ${reason}.`);
    const looked = { at: Date.now(), logs: places, starts };
    await this.context.saveCheckpoint({ ...checkpoint, looked });
    throw new ResumeAt(opcacheMs, healthyLine);
  }

  private async checkAgain(
    checkpoint: UpdatesCheckpoint,
    { at, logs, starts }: NonNullable<UpdatesCheckpoint['looked']>,
  ): Promise<JointOutcomes> {
    this.step('Seconde vérification');
    for (const { context } of this.updates) if (context.signal.aborted) context.report(null, tooLateLine);
    await this.checker.waitForOpcache(at);
    const { reason, start } = await this.checker.lookAgain(checkpoint, logs, { didStart: starts !== false });
    if (reason !== undefined) return this.decide(checkpoint, `Le site va moins bien\u00a0: ${reason}.`);
    await this.checker.reportScan(start);
    return this.outcomes(checkpoint.ends, ({ context, input, subject }) => {
      const end = checkpoint.ends[context.job.id];
      if (end?.is !== 'done') throw new Error('an update that was checked has no end');
      const otherVersion = describeOtherVersion(input.item, end, start.state);
      if (otherVersion !== undefined) return { state: 'unknown', error: versionChangedError(subject, otherVersion) };
      const change = { jobId: context.job.id, input, checkpoint };
      const result = doneOutcome(change, end, start.state, this.checker.lastVisit);
      context.report(null, startLine(result));
      return { state: 'succeeded', result };
    });
  }

  private async decide(checkpoint: UpdatesCheckpoint, failure: string): Promise<JointOutcomes> {
    const reason = `${failure} Ces mises à jour faites ensemble sont toutes annulées\u202f; chacune sera refaite seule, pour trouver celle qui est en cause.`;
    await this.context.saveCheckpoint({ ...checkpoint, reason });
    return this.rollBack({ ...checkpoint, reason }, reason);
  }

  /** The others follow even where one cannot be rolled back. */
  private async rollBack(checkpoint: UpdatesCheckpoint, reason: string): Promise<JointOutcomes> {
    this.shared.report({ step: 'Retour arrière', done: null, total: null }, reason);
    const failures: Failures = new Map();
    let current = checkpoint;
    for (const update of this.inRollbackOrder(checkpoint)) {
      const { id } = update.context.job;
      if (current.back.includes(id)) continue;
      const end = await this.rollBackOne(current, update);
      if (end.is !== 'done') failures.set(id, end);
      current = { ...current, back: end.is === 'done' ? [...current.back, id] : current.back, tries: 0 };
      await this.context.saveCheckpoint(current);
    }
    return this.endAfterRollback(current, reason, failures);
  }

  /**
   * The item at which the updates stopped comes first, since its rollback also ends WordPress's maintenance mode. The last
   * update of the others comes before the first; refused items were not changed.
   */
  private inRollbackOrder({ ends }: UpdatesCheckpoint): Update[] {
    const isWithoutEnd = ({ context }: Update) => ends[context.job.id] === undefined;
    const done = this.updates.filter(({ context }) => ends[context.job.id]?.is === 'done');
    const [stoppedAt, ...unreached] = this.updates.filter(isWithoutEnd);
    return [...(stoppedAt ? [stoppedAt] : []), ...done.toReversed(), ...unreached];
  }

  private async rollBackOne(checkpoint: UpdatesCheckpoint, update: Update): Promise<ChangeEnd> {
    const order = this.orderOf(checkpoint, update);
    const context = { ...update.context, leaseSignal: this.context.leaseSignal };
    for (let attempt = Math.max(1, checkpoint.tries); attempt <= maxRollbacks; attempt += 1) {
      await this.context.saveCheckpoint({ ...checkpoint, tries: attempt });
      const id = derivedId(order.operation, `rollback of ${order.together}:${attempt}`);
      const { end } = await runRollback(this.dependencies.operations, context, { order, id });
      if (end && !wasKilled(end)) return end;
    }
    const message = `La remise en place a été interrompue ${maxRollbacks} fois\u00a0: l’état de cet élément n’est pas connu.`;
    return { ...interrupted, message };
  }

  private async endAfterRollback(
    checkpoint: UpdatesCheckpoint,
    reason: string,
    failures: Failures,
  ): Promise<JointOutcomes> {
    const after = this.checker.lastVisit;
    const { regression, start } = await this.checker.lookAfterRollback(checkpoint, Date.now());
    // An update of a broken site could not be judged.
    if (regression === undefined && failures.size === 0) return this.giveBack(checkpoint.ends);
    const verdict: Verdict = {
      code: changeCodes.rolledBack,
      reason,
      remedy: retryRemedy,
      isCancelled: false,
      isDone: true,
      after,
      php_errors: [],
    };
    return this.outcomes(checkpoint.ends, ({ context, input, subject }) => {
      const failure = failures.get(context.job.id);
      if (failure && wasKilled(failure))
        return { state: 'unknown', error: { ...errorOfEnd(failure), message: `${reason} ${failure.message}` } };
      const checks = checksOf(checkpoint, verdict, failure ? null : this.checker.lastVisit);
      const aside = failure ? rollbackCopyOf({ jobId: context.job.id, input, checkpoint }, failure) : null;
      const change = { ...undoneOutcome(input, start.state), aside, checks };
      const error = failure
        ? rollbackFailedError({ subject, verdict, change }, errorOfEnd(failure))
        : rolledBackError({ subject, verdict, change, hasTables: false }, regression);
      return { state: 'failed', error };
    });
  }

  private step(step: string): void {
    this.shared.report({ step, done: null, total: null });
  }
}

function toUpdate(context: JobContext): Update {
  const input = ChangeInput.parse(context.job.input);
  const { item, from, to } = input;
  return { context, input, subject: { action: 'update', item, from, to } };
}

/** Aborted when one of these updates is cancelled; a lost lease ends the update that lost it. */
function cancellationOf(updates: readonly Update[]): AbortSignal {
  const cancellation = new AbortController();
  for (const { context } of updates) {
    const { signal } = context;
    const onAbort = () => {
      if (signal.reason === 'cancelled') cancellation.abort(signal.reason);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  }
  return cancellation.signal;
}
