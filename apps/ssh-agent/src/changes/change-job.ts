import { changeCodes } from '@vigie/contracts/change-codes';
import { ChangeInput } from '@vigie/contracts/changes';
import type { FollowResult } from '@vigie/ssh/journal-follow';
import {
  ChangeDone,
  type ChangeEnd,
  type ChangeProgress,
  type ChangeOrder,
  ChangeReader,
  changeTask,
  packagePath,
  tidyTask,
} from '@vigie/wordpress/change';
import type { LoggedFatal } from '@vigie/wordpress/logs';
import { RetryLater, type Outcome, ResumeAt, type JobContext, OutcomeUnknown } from '../jobs/job-handler';
import type { JobDependencies } from '../job-dependencies';
import { derivedId } from '../operations/derived-id';
import type { Operations } from '../operations/operations';
import { opcacheMs } from '../site-checks/site-pages';
import { Checkpoint, type FirstCheck, type Verdict } from './checkpoint';
import { maxRollbacks, runRollback, wasKilled } from './rollback';
import { Preparation, refusalOf } from './preparation';
import {
  rollbackFailedError,
  rolledBackError,
  type Action,
  type ChangeSubject,
  healthyLine,
  startLine,
  versionChangedError,
  retryRemedy,
  tooLateLine,
} from './sentences';
import { SiteChecker } from './site-checker';
import { describeOtherVersion, doneOutcome, rollbackCopyOf, undoneOutcome } from './outcomes';
import { checksOf, failureVerdict, interruptionVerdict, regressionVerdict } from './verdicts';

/** In minutes. Later than that only a person may decide to lose what was written to the database since. */
const safeRollbackMinutes = 10;

type ChangeDependencies = JobDependencies & { action: Action; operations: Operations };
type OperationResult = { followResult: FollowResult; reader: ChangeReader; end: ChangeEnd | undefined };

/**
 * One change of one site, as one worker runs it. Checks are saved in the checkpoint and changes are operations of the
 * host, so that every worker comes to the same end.
 */
export class ChangeJob {
  private readonly input: ChangeInput;
  private readonly checker: SiteChecker;
  private readonly subject: ChangeSubject;

  constructor(
    private readonly context: JobContext,
    private readonly dependencies: ChangeDependencies,
  ) {
    this.input = ChangeInput.parse(context.job.input);
    this.checker = new SiteChecker(
      context,
      dependencies,
      { site: this.input.site, items: [this.input.item] },
      context.leaseSignal,
    );
    const { item, from, to } = this.input;
    this.subject = { action: dependencies.action, item, from, to };
  }

  async run(): Promise<Outcome> {
    const { job } = this.context;
    const checkpoint = job.memo ? Checkpoint.parse(job.memo) : await this.prepare();
    if ('state' in checkpoint) return checkpoint;
    if (checkpoint.verdict) return this.rollBack(checkpoint, checkpoint.verdict);
    if (checkpoint.looked) return this.checkAgain(checkpoint, checkpoint.looked);
    const result = await this.runChange(checkpoint);
    const { end, reader, followResult } = result;
    await this.cleanUp(checkpoint, result);
    if (end?.is === 'refused' || (end?.is === 'failed' && !end.touched)) {
      if (followResult.wasStopped) this.context.signal.throwIfAborted();
      const { message, remedy, code } = end;
      return { state: 'failed', error: { message, remedy, code } };
    }
    if (end?.is === 'done') return this.check(checkpoint, end, reader);
    return this.decide(
      checkpoint,
      end ? failureVerdict(end) : interruptionVerdict(this.subject, result.followResult.wasStopped),
    );
  }

  /** Prepares the first checkpoint, or says why the change cannot start. */
  private async prepare(): Promise<Checkpoint | Outcome> {
    try {
      const prepared = await new Preparation(this.context, this.dependencies, this.input).run();
      if ('error' in prepared) return { state: 'failed', error: prepared.error };
      await this.context.saveCheckpoint(prepared.checkpoint);
      return prepared.checkpoint;
    } catch (error) {
      const failure = refusalOf(error, this.context.signal);
      if (!failure) throw error;
      return { state: 'failed', error: failure };
    }
  }

  private orderOf({ php, path }: Checkpoint): ChangeOrder {
    const { site, item, to, activate, package: archive, aside_id: rollbackCopyId } = this.input;
    const { id, url } = site;
    return {
      operation: this.context.job.id,
      site: { id, path, url },
      php,
      api: this.dependencies.api,
      action: this.dependencies.action,
      item,
      to,
      activate,
      package: archive && { sha256: archive.sha256, size: archive.size, unpacked: archive.unpacked },
      rollbackCopyId,
    };
  }

  private async runChange(checkpoint: Checkpoint): Promise<OperationResult> {
    const order = this.orderOf(checkpoint);
    const reader = new ChangeReader(order);
    const mayStop = () => reader.reached === 'nothing' || reader.reached === 'aside';
    try {
      const followResult = await this.dependencies.operations.run(this.context, {
        ...changeTask(order),
        name: 'change.sh',
        lock: checkpoint.path,
        onLine: (line) => {
          const progress = reader.readLine(line);
          if (progress) this.reportProgress(progress);
        },
        mayHaveStarted: this.context.job.memo !== null,
        mayStop,
      });
      return { followResult, reader, end: reader.end };
    } catch (error) {
      // The next worker may still have to start the operation, and then needs the package.
      const willResume = this.context.leaseSignal.aborted || (error instanceof RetryLater && error.mayHaveStarted);
      if (!willResume) await this.dropPackage(checkpoint);
      throw error;
    }
  }

  /**
   * Cleans up after an operation that was killed once it had reported its end. A rollback does this itself, and needs
   * the files until then.
   */
  private async cleanUp(checkpoint: Checkpoint, { end, followResult }: OperationResult): Promise<void> {
    const isSettled = end?.is === 'failed' ? !end.touched : end !== undefined;
    if (!isSettled || followResult.outcome !== 'unknown') return;
    await this.dependencies.operations.run(
      { ...this.context, signal: this.context.leaseSignal },
      {
        ...tidyTask(this.orderOf(checkpoint)),
        name: 'tidy.sh',
        id: derivedId(this.context.job.id, 'tidy'),
        lock: checkpoint.path,
        mayHaveStarted: true,
      },
    );
  }

  private reportProgress(progress: ChangeProgress): void {
    if ('step' in progress) this.context.report(progress);
    else this.context.report(null, progress.line);
  }

  /** Removes the package, as an operation that ends does itself. */
  private async dropPackage({ home }: Checkpoint): Promise<void> {
    if (!this.input.package) return;
    const preparation = new Preparation(this.context, this.dependencies, this.input);
    await preparation.dropPackage(packagePath(home, this.context.job.id));
  }

  private async check(checkpoint: Checkpoint, end: ChangeDone, { logs, starts }: ChangeReader): Promise<Outcome> {
    this.step('Vérification');
    const { reason, fatals, places } = await this.checker.look(checkpoint, logs, this.mayClose);
    if (reason !== undefined) return this.decide(checkpoint, this.regressionVerdict(reason, fatals));
    const looked: FirstCheck = { at: Date.now(), logs: places, end: ChangeDone.parse(end), starts };
    await this.context.saveCheckpoint({ ...checkpoint, looked });
    throw new ResumeAt(opcacheMs, healthyLine);
  }

  private async checkAgain(checkpoint: Checkpoint, { at, logs, end, starts }: FirstCheck): Promise<Outcome> {
    const { signal, report } = this.context;
    this.step('Seconde vérification');
    if (signal.aborted) report(null, tooLateLine);
    // A cancelled job comes back before its time.
    await this.checker.waitForOpcache(at);
    const isRestore = this.dependencies.action === 'restore';
    // Whether WordPress started before the change, as the preparation or the operation found.
    const didStart = checkpoint.problem === null && starts !== false;
    const look = await this.checker.lookAgain(checkpoint, logs, {
      mayClose: this.mayClose,
      didStart,
      refreshes: isRestore,
    });
    const { state } = look.start;
    const otherVersion = describeOtherVersion(this.input.item, end, state);
    // A restored copy whose version WordPress does not read lies in a folder that the site no longer uses.
    const reason = look.reason ?? (isRestore ? otherVersion : undefined);
    if (reason !== undefined) return this.decide(checkpoint, this.regressionVerdict(reason, look.fatals));
    await this.checker.reportScan(look.start);
    if (otherVersion !== undefined) throw new OutcomeUnknown(versionChangedError(this.subject, otherVersion));
    const change = doneOutcome(this.change(checkpoint), end, state, this.checker.lastVisit);
    report(null, startLine(change));
    return { state: 'succeeded', result: change };
  }

  /** Some plugins close a site to its visitors as soon as they are active. */
  private get mayClose(): boolean {
    const { item, activate } = this.input;
    const { action } = this.dependencies;
    return item.kind === 'plugin' && (action === 'activate' || (action === 'install' && activate));
  }

  private regressionVerdict(reason: string, fatals: readonly LoggedFatal[]): Verdict {
    return regressionVerdict(this.subject, reason, { after: this.checker.lastVisit, fatals });
  }

  private async decide(checkpoint: Checkpoint, verdict: Verdict): Promise<Outcome> {
    const decided = { ...checkpoint, verdict };
    await this.context.saveCheckpoint(decided);
    return this.rollBack(decided, verdict);
  }

  private async rollBack(checkpoint: Checkpoint, verdict: Verdict): Promise<Outcome> {
    if (checkpoint.back_at !== null) return this.checkAfterRollback(checkpoint, verdict);
    this.context.report({ step: 'Retour arrière', done: null, total: null }, verdict.reason);
    let hasTables = checkpoint.has_tables_back;
    for (let attempt = Math.max(1, checkpoint.tries); attempt <= maxRollbacks; attempt += 1) {
      await this.context.saveCheckpoint({ ...checkpoint, tries: attempt, has_tables_back: hasTables });
      const order = this.orderOf(checkpoint);
      const id = derivedId(order.operation, `rollback:${attempt}`);
      const maxAgeMinutes = verdict.isDone ? safeRollbackMinutes : null;
      const { end, hasTablesBack } = await runRollback(this.dependencies.operations, this.context, {
        order,
        id,
        maxAgeMinutes,
      });
      hasTables ||= hasTablesBack;
      if (end?.is === 'done') {
        const rolledBack = { ...checkpoint, tries: attempt, back_at: Date.now(), has_tables_back: hasTables };
        await this.context.saveCheckpoint(rolledBack);
        return this.checkAfterRollback(rolledBack, verdict);
      }
      if (end && !wasKilled(end)) return this.failRollback(checkpoint, verdict, end);
    }
    throw new OutcomeUnknown({
      message: `${verdict.reason} La remise en place a été interrompue ${maxRollbacks} fois\u00a0: l’état du site n’est pas connu.`,
      remedy: retryRemedy,
      code: changeCodes.interrupted,
    });
  }

  private async failRollback(
    checkpoint: Checkpoint,
    verdict: Verdict,
    failure: Exclude<ChangeEnd, ChangeDone>,
  ): Promise<Outcome> {
    const start = await this.checker.startWordPress(checkpoint);
    await this.checker.reportScan(start);
    const aside = rollbackCopyOf(this.change(checkpoint), failure);
    const change = {
      ...undoneOutcome(this.input, start.state),
      aside,
      checks: checksOf(checkpoint, verdict, null),
    };
    return { state: 'failed', error: rollbackFailedError({ subject: this.subject, verdict, change }, failure) };
  }

  private async checkAfterRollback(checkpoint: Checkpoint, verdict: Verdict): Promise<Outcome> {
    const { regression, start } = await this.checker.lookAfterRollback(checkpoint, checkpoint.back_at ?? 0);
    if (verdict.isCancelled && regression === undefined) this.context.signal.throwIfAborted();
    const { subject } = this;
    const change = {
      ...undoneOutcome(this.input, start.state),
      checks: checksOf(checkpoint, verdict, this.checker.lastVisit),
    };
    const hasTables = checkpoint.has_tables_back;
    return { state: 'failed', error: rolledBackError({ subject, verdict, change, hasTables }, regression) };
  }

  private change(checkpoint: Checkpoint) {
    return { jobId: this.context.job.id, input: this.input, checkpoint };
  }

  private step(step: string): void {
    this.context.report({ step, done: null, total: null });
  }
}
