import { changeCodes } from '@vigie/contracts/change-codes';
import { type ChangeOutcome, ChangeInput } from '@vigie/contracts/changes';
import { AppError } from '@vigie/contracts/errors';
import type { SiteState } from '@vigie/contracts/inventory';
import type { JobError } from '@vigie/contracts/jobs';
import type { FollowResult } from '@vigie/ssh/journal-follow';
import {
  ChangeDone,
  type ChangeEnd,
  type ChangeProgress,
  type ChangeOrder,
  ChangeReader,
  changeTask,
  packagePath,
  rollbackTask,
  tidyTask,
} from '@vigie/wordpress/change';
import { SiteFailure } from '@vigie/wordpress/host';
import type { LogPosition, LoggedFatal } from '@vigie/wordpress/logs';
import { setTimeout as wait } from 'node:timers/promises';
import { RetryLater, type Outcome, ResumeAt, type JobContext, OutcomeUnknown } from '../jobs/job-handler';
import type { JobDependencies } from '../job-dependencies';
import { derivedId } from '../operations/derived-id';
import type { Operations } from '../operations/operations';
import { opcacheMs } from '../site-checks/site-pages';
import { failureOf } from '../sites/site-host';
import { Checkpoint, type FirstCheck, type Verdict } from './checkpoint';
import { Preparation } from './preparation';
import {
  rollbackFailedError,
  rolledBackError,
  type Action,
  type ChangeSubject,
  changeName,
  retryRemedy,
  tooLateLine,
} from './sentences';
import { SiteChecker } from './site-checker';
import { fatalText, problemText } from './regressions';
import { checksOf, failureVerdict, interruptionVerdict, regressionVerdict } from './verdicts';

/** Attempts at a rollback that is killed each time. */
const maxAttempts = 3;
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
    this.checker = new SiteChecker(context, dependencies, this.input, context.leaseSignal);
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
      const failure = this.refusalOf(error);
      if (!failure) throw error;
      return { state: 'failed', error: failure };
    }
  }

  /** A refusal during the preparation is the outcome of the job, in any attempt. */
  private refusalOf(error: unknown): JobError | undefined {
    if (error instanceof SiteFailure) return failureOf(error);
    if (!(error instanceof AppError) || this.context.signal.aborted) return undefined;
    return { message: error.message, code: error.code };
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

  /** The first check, made at once: visitors must not meet a broken site until opcache has expired. */
  private async check(checkpoint: Checkpoint, end: ChangeDone, reader: ChangeReader): Promise<Outcome> {
    this.step('Vérification');
    const pages = await this.checker.findPageRegression(checkpoint.baseline, this.mayClose);
    const { places, fatals } = await this.checker.readNewFatals(checkpoint, reader.logs);
    this.checker.reportFatals(fatals);
    if (pages !== undefined) return this.decide(checkpoint, this.regressionVerdict(withCause(pages, fatals), fatals));
    // A visit while the files were replaced may have failed; an error that stays appears again.
    const logs = fatals.length > 0 ? await this.readNewFatalsAgain(checkpoint, places) : { places, fatals };
    if (logs.fatals.length > 0)
      return this.decide(checkpoint, this.regressionVerdict(loggedText(logs.fatals), logs.fatals));
    const { starts } = reader;
    const looked: FirstCheck = { at: Date.now(), logs: logs.places, end: ChangeDone.parse(end), starts };
    await this.context.saveCheckpoint({ ...checkpoint, looked });
    const reason = 'Le site va bien. Seconde vérification dans quelques secondes, quand PHP aura relu ses fichiers.';
    throw new ResumeAt(opcacheMs, reason);
  }

  private async readNewFatalsAgain(checkpoint: Checkpoint, places: readonly LogPosition[]) {
    await this.checker.visitPages();
    return this.checker.readNewFatals(checkpoint, places);
  }

  private async checkAgain(checkpoint: Checkpoint, { at, logs, end, starts }: FirstCheck): Promise<Outcome> {
    const { leaseSignal, signal, report } = this.context;
    this.step('Seconde vérification');
    if (signal.aborted) report(null, tooLateLine);
    // A cancelled job comes back before its time.
    const leftMs = Math.min(opcacheMs, at + opcacheMs - Date.now());
    if (leftMs > 0) await wait(leftMs, undefined, { signal: leaseSignal });
    const pages = await this.checker.findPageRegression(checkpoint.baseline, this.mayClose);
    const { fatals } = await this.checker.readNewFatals(checkpoint, logs);
    this.checker.reportFatals(fatals);
    let start = await this.checker.startWordPress(checkpoint, this.dependencies.action === 'restore');
    // Whether WordPress started before the change, as the preparation or the operation found.
    const didStart = checkpoint.problem === null && starts !== false;
    const isWorse = () => problemText(start.state?.problem ?? null, didStart);
    // A busy host fails to start PHP now and then.
    if (isWorse() !== undefined) start = await this.checker.startWordPress(checkpoint);
    const otherVersion = this.describeOtherVersion(end, start.state);
    // A restored copy whose version WordPress does not read lies in a folder that the site no longer uses.
    const problem = isWorse() ?? (this.dependencies.action === 'restore' ? otherVersion : undefined);
    const logged = fatals.length > 0 ? loggedText(fatals) : undefined;
    const reason = pages === undefined ? (problem ?? logged) : withCause(pages, fatals);
    if (reason !== undefined) return this.decide(checkpoint, this.regressionVerdict(reason, fatals));
    await this.checker.reportScan(start);
    if (otherVersion !== undefined) throw this.versionChangedError(otherVersion);
    const change = this.outcomeOf(checkpoint, end, start.state);
    this.context.report(null, `WordPress démarre, et annonce\u00a0: ${this.input.item.name} ${change.to ?? ''}`.trim());
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
    for (let attempt = Math.max(1, checkpoint.tries); attempt <= maxAttempts; attempt += 1) {
      await this.context.saveCheckpoint({ ...checkpoint, tries: attempt, has_tables_back: hasTables });
      const { end, reader } = await this.runRollback(checkpoint, attempt, verdict);
      hasTables ||= reader.hasTablesBack;
      if (end?.is === 'done') {
        const rolledBack = { ...checkpoint, tries: attempt, back_at: Date.now(), has_tables_back: hasTables };
        await this.context.saveCheckpoint(rolledBack);
        return this.checkAfterRollback(rolledBack, verdict);
      }
      if (end && !wasKilled(end)) return this.failRollback(checkpoint, verdict, end);
    }
    throw new OutcomeUnknown({
      message: `${verdict.reason} La remise en place a été interrompue ${maxAttempts} fois\u00a0: l’état du site n’est pas connu.`,
      remedy: retryRemedy,
      code: changeCodes.interrupted,
    });
  }

  /** A cancellation does not stop a rollback, which would leave the site broken halfway. */
  private async runRollback(checkpoint: Checkpoint, attempt: number, { isDone }: Verdict): Promise<OperationResult> {
    const order = this.orderOf(checkpoint);
    const reader = new ChangeReader(order);
    const { context } = this;
    const followResult = await this.dependencies.operations.run(
      { ...context, signal: context.leaseSignal },
      {
        ...rollbackTask(order, isDone ? safeRollbackMinutes : null),
        name: 'rollback.sh',
        id: derivedId(context.job.id, `rollback:${attempt}`),
        lock: checkpoint.path,
        onLine: (line) => {
          const progress = reader.readLine(line);
          if (progress && 'line' in progress) context.report(null, progress.line);
        },
        mayHaveStarted: true,
      },
    );
    return { followResult, reader, end: reader.end };
  }

  private async failRollback(
    checkpoint: Checkpoint,
    verdict: Verdict,
    failure: Exclude<ChangeEnd, ChangeDone>,
  ): Promise<Outcome> {
    const start = await this.checker.startWordPress(checkpoint);
    await this.checker.reportScan(start);
    const aside = this.rollbackCopyOf(checkpoint, failure);
    const checks = checksOf(checkpoint, verdict, null);
    const change = { ...this.outcomeOf(checkpoint, undefined, start.state), aside, checks };
    return { state: 'failed', error: rollbackFailedError({ subject: this.subject, verdict, change }, failure) };
  }

  /** Opcache may serve the changed code for a while after the rollback. */
  private async checkAfterRollback(checkpoint: Checkpoint, verdict: Verdict): Promise<Outcome> {
    const { leaseSignal, signal } = this.context;
    const leftMs = Math.min(opcacheMs, (checkpoint.back_at ?? 0) + opcacheMs - Date.now());
    let regression = await this.checker.findPageRegression(checkpoint.baseline);
    if (regression !== undefined && leftMs > 0) {
      await wait(leftMs, undefined, { signal: leaseSignal });
      regression = await this.checker.findPageRegression(checkpoint.baseline);
    }
    const start = await this.checker.startWordPress(checkpoint, true);
    await this.checker.reportScan(start);
    if (verdict.isCancelled && regression === undefined) signal.throwIfAborted();
    const { subject } = this;
    const change = {
      ...this.outcomeOf(checkpoint, undefined, start.state),
      checks: checksOf(checkpoint, verdict, this.checker.lastVisit),
    };
    const hasTables = checkpoint.has_tables_back;
    return { state: 'failed', error: rolledBackError({ subject, verdict, change, hasTables }, regression) };
  }

  private describeOtherVersion({ to }: ChangeDone, state: SiteState | null): string | undefined {
    const { version } = stateOfItem(state, this.input.item);
    const isOther = to !== null && version !== null && version !== to;
    return isOther ? `WordPress dit ${version} au lieu de ${to}` : undefined;
  }

  /** Somebody else changed the version, or this job rolled back before Vigie itself was restored from a backup. */
  private versionChangedError(otherVersion: string): OutcomeUnknown {
    return new OutcomeUnknown({
      message: `${changeName(this.subject)}\u00a0: l’opération s’est terminée, mais ${otherVersion}. Ce qui a changé depuis n’est pas connu.`,
      remedy: retryRemedy,
      code: changeCodes.interrupted,
    });
  }

  private outcomeOf(checkpoint: Checkpoint, end: ChangeDone | undefined, state: SiteState | null): ChangeOutcome {
    const { item, from, to } = this.input;
    const { version, status } = stateOfItem(state, item);
    if (!end) return { ...item, from, to, status, aside: null, checks: null };
    const versions = { from: end.from ?? from, to: version ?? end.to };
    const aside = this.rollbackCopyOf(checkpoint, end);
    const checks = checksOf(checkpoint, { after: this.checker.lastVisit, php_errors: [] }, null);
    return { ...item, name: end.name, ...versions, status: status ?? end.status, aside, checks };
  }

  private rollbackCopyOf({ begun_at: madeAt }: Checkpoint, end: ChangeDone | ChangeEnd) {
    const copy = end.is === 'refused' ? null : end.rollbackCopy;
    return (
      copy && {
        id: this.context.job.id,
        version: copy.version ?? this.input.from,
        bytes: copy.bytes,
        made_at: madeAt,
        has_tables: copy.has_tables,
      }
    );
  }

  private step(step: string): void {
    this.context.report({ step, done: null, total: null });
  }
}

/** The version and status of an item as WordPress reports them. */
function stateOfItem(state: SiteState | null, { kind, slug }: ChangeInput['item']) {
  const extension = state?.extensions.find((each) => each.type === kind && each.slug === slug);
  const version = (kind === 'core' ? state?.core.version : extension?.version) ?? null;
  return { version, status: extension?.status ?? null };
}

/** The rollback itself was killed, and can be tried again. */
const wasKilled = (end: ChangeEnd) => end.is === 'failed' && end.code === changeCodes.interrupted;

const loggedText = ([fatal]: readonly LoggedFatal[]) =>
  `une erreur fatale est apparue dans son journal${fatal ? `\u00a0: ${fatalText(fatal)}` : ''}`;

const withCause = (reason: string, [fatal]: readonly LoggedFatal[]) =>
  fatal ? `${reason}\u00a0— ${fatalText(fatal)}` : reason;
