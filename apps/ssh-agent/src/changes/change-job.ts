import { changeCodes, type ChangeOutcome, ChangeInput } from '@vigie/contracts/changes';
import { AppError } from '@vigie/contracts/errors';
import type { SiteFacts } from '@vigie/contracts/inventory';
import type { JobError } from '@vigie/contracts/jobs';
import type { FollowResult } from '@vigie/ssh/journal-follow';
import {
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
import type { LogPlace, LoggedFatal } from '@vigie/wordpress/logs';
import { setTimeout as wait } from 'node:timers/promises';
import { RetryLater, type Outcome, ResumeAt, type JobContext, OutcomeUnknown } from '../jobs/job-handler';
import type { JobDependencies } from '../jobs/job-dependencies';
import { derivedId } from '../operations/derived-id';
import type { Operations } from '../operations/operations';
import { opcacheMs } from '../site-checks/site-pages';
import { failureOf } from '../sites/site-host';
import { ChangeCheckpoint, type Verdict } from './checkpoint';
import { Preparation } from './preparation';
import {
  type Action,
  retryRemedy,
  reportToAuthor,
  changeName,
  rollbackFailedError,
  rolledBackError,
  regressionText,
} from './sentences';
import { SiteChecker } from './site-checker';
import { fatalText, problemText } from './regressions';

/** To put a copy back, where something ends that again and again. */
const maxAttempts = 3;
/** In minutes: from then on nobody but a person decides that what was written to a database since is lost. */
const safeRollbackMinutes = 10;

type ChangeDependencies = JobDependencies & { action: Action; operations: Operations };
type FirstCheck = {
  end: Extract<ChangeEnd, { is: 'done' }>;
  reader: ChangeReader;
  looked: NonNullable<ChangeCheckpoint['looked']>;
};
type OperationResult = { followed: FollowResult; reader: ChangeReader; end: ChangeEnd | undefined };

/**
 * One change of one site, by whichever worker has it: what was seen before is remembered, what is done is an operation
 * of the host, so that each of them comes to the same end.
 */
export class ChangeJob {
  private readonly input: ChangeInput;
  private readonly checker: SiteChecker;

  constructor(
    private readonly context: JobContext,
    private readonly dependencies: ChangeDependencies,
  ) {
    this.input = ChangeInput.parse(context.job.input);
    this.checker = new SiteChecker(context, dependencies, this.input, context.leaseSignal);
  }

  async run(): Promise<Outcome> {
    const { job } = this.context;
    const checkpoint = job.memo ? ChangeCheckpoint.parse(job.memo) : await this.prepare();
    if ('state' in checkpoint) return checkpoint;
    if (checkpoint.verdict) return this.rollBack(checkpoint, checkpoint.verdict);
    const result = await this.runChange(checkpoint);
    const { end, reader, followed } = result;
    await this.cleanUp(checkpoint, result);
    if (end?.is === 'refused' || (end?.is === 'failed' && !end.touched)) {
      if (followed.wasStopped) this.context.signal.throwIfAborted();
      const { message, remedy, code } = end;
      return { state: 'failed', error: { message, remedy, code } };
    }
    if (end?.is === 'done')
      return checkpoint.looked
        ? this.checkAgain(checkpoint, { ...result, end, looked: checkpoint.looked })
        : this.check(checkpoint, reader);
    return this.decide(checkpoint, end ? this.failureVerdict(end) : this.interruptionVerdict(result));
  }

  /** What is needed before anything begins, or why nothing can. */
  private async prepare(): Promise<ChangeCheckpoint | Outcome> {
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

  /** Before anything begins that is the outcome, however often it was prepared. */
  private refusalOf(error: unknown): JobError | undefined {
    if (error instanceof SiteFailure) return failureOf(error);
    if (!(error instanceof AppError) || this.context.signal.aborted) return undefined;
    return { message: error.message, code: error.code };
  }

  private orderOf({ php, path }: ChangeCheckpoint): ChangeOrder {
    const { site, item, to, activate, package: archive, aside_id: asideId } = this.input;
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
      asideId,
    };
  }

  private async runChange(checkpoint: ChangeCheckpoint): Promise<OperationResult> {
    const order = this.orderOf(checkpoint);
    const reader = new ChangeReader(order);
    const mayStop = () => reader.reached === 'nothing' || reader.reached === 'aside';
    try {
      const followed = await this.dependencies.operations.run(this.context, {
        ...changeTask(order),
        name: 'change.sh',
        lock: checkpoint.path,
        onLine: (line) => {
          const progress = reader.hear(line);
          // Where an earlier worker saw the change done it told its progress too: it is read again for its end alone.
          if (progress && !checkpoint.looked) this.reportProgress(progress);
        },
        mayHaveStarted: this.context.job.memo !== null,
        mayStop,
      });
      return { followed, reader, end: reader.end };
    } catch (error) {
      // Whoever goes on with it may find it not begun yet.
      const willResume = this.context.leaseSignal.aborted || (error instanceof RetryLater && error.mayHaveStarted);
      if (!willResume) await this.dropPackage(checkpoint);
      throw error;
    }
  }

  /**
   * For an operation that was killed after it had told its end. A rollback does this itself, and needs the files until
   * then.
   */
  private async cleanUp(checkpoint: ChangeCheckpoint, { end, followed }: OperationResult): Promise<void> {
    const isSettled = end?.is === 'failed' ? !end.touched : end !== undefined;
    if (!isSettled || followed.outcome !== 'unknown' || checkpoint.looked) return;
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

  /** The operation does so itself where it came to its end. */
  private async dropPackage({ home }: ChangeCheckpoint): Promise<void> {
    if (!this.input.package) return;
    await new Preparation(this.context, this.dependencies, this.input).dropPackage(
      packagePath(home, this.context.job.id),
    );
  }

  /** At once: what is bad now is not left to visitors while opcache forgets. */
  private async check(checkpoint: ChangeCheckpoint, reader: ChangeReader): Promise<Outcome> {
    this.step('Vérification');
    const pages = await this.checker.findPageRegression(checkpoint.baseline, this.mayClose);
    const { places, fatals } = await this.checker.readNewFatals(checkpoint, reader.logs);
    this.checker.reportFatals(fatals);
    if (pages !== undefined) return this.decide(checkpoint, this.regressionVerdict(withCause(pages, fatals)));
    // Whoever visited while files were replaced may have met half of them: what stays wrong is there again.
    const logs = fatals.length > 0 ? await this.readNewFatalsAgain(checkpoint, places) : { places, fatals };
    if (logs.fatals.length > 0) return this.decide(checkpoint, this.regressionVerdict(loggedText(logs.fatals)));
    await this.context.saveCheckpoint({ ...checkpoint, looked: { at: Date.now(), logs: logs.places } });
    throw new ResumeAt(
      opcacheMs,
      'Le site va bien. Second regard dans quelques secondes, quand PHP aura relu ses fichiers.',
    );
  }

  private async readNewFatalsAgain(checkpoint: ChangeCheckpoint, places: readonly LogPlace[]) {
    await this.checker.visitPages();
    return this.checker.readNewFatals(checkpoint, places);
  }

  private async checkAgain(checkpoint: ChangeCheckpoint, { end, reader, looked }: FirstCheck): Promise<Outcome> {
    const { leaseSignal } = this.context;
    this.step('Seconde vérification');
    // Whoever was cancelled meanwhile comes before its time.
    const leftMs = Math.min(opcacheMs, looked.at + opcacheMs - Date.now());
    if (leftMs > 0) await wait(leftMs, undefined, { signal: leaseSignal });
    const pages = await this.checker.findPageRegression(checkpoint.baseline, this.mayClose);
    const { fatals } = await this.checker.readNewFatals(checkpoint, looked.logs);
    this.checker.reportFatals(fatals);
    let start = await this.checker.startWordPress(checkpoint, this.dependencies.action === 'restore');
    // The operation started it too, before it changed anything.
    const didStart = checkpoint.problem === null && reader.starts !== false;
    const isWorse = () => problemText(start.facts?.problem ?? null, didStart);
    // A busy host fails now and then.
    if (isWorse() !== undefined) start = await this.checker.startWordPress(checkpoint);
    const otherVersion = this.describeOtherVersion(end, start.facts);
    // A copy is not back where its folder is not the site's any more: WordPress reads another version.
    const problem = isWorse() ?? (this.dependencies.action === 'restore' ? otherVersion : undefined);
    const logged = fatals.length > 0 ? loggedText(fatals) : undefined;
    const reason = pages === undefined ? (problem ?? logged) : withCause(pages, fatals);
    if (reason !== undefined) return this.decide(checkpoint, this.regressionVerdict(reason));
    await this.checker.reportScan(start);
    if (otherVersion !== undefined) throw this.versionChangedError(otherVersion);
    const change = this.outcomeOf(checkpoint, end, start.facts);
    this.context.report(null, `WordPress démarre, et dit\u00a0: ${this.input.item.name} ${change.to ?? ''}`.trim());
    return { state: 'succeeded', result: change };
  }

  /** Some plugins close a site to its visitors as soon as they are active. */
  private get mayClose(): boolean {
    const { item, activate } = this.input;
    const { action } = this.dependencies;
    return item.kind === 'plugin' && (action === 'activate' || (action === 'install' && activate));
  }

  private regressionVerdict(reason: string): Verdict {
    const subject = this.subject();
    const remedy = reportToAuthor(subject);
    return {
      code: changeCodes.rolledBack,
      reason: regressionText(subject, reason),
      remedy,
      isCancelled: false,
      isDone: true,
    };
  }

  private failureVerdict({
    code,
    message,
    remedy,
  }: Pick<JobError, 'message'> & { code: string; remedy: string }): Verdict {
    const verdictCode = code === changeCodes.interrupted ? code : changeCodes.rolledBack;
    return { code: verdictCode, reason: message, remedy, isCancelled: false, isDone: false };
  }

  /** It ended without a word: killed, or its host was. */
  private interruptionVerdict({ followed }: OperationResult): Verdict {
    return {
      code: changeCodes.interrupted,
      reason: `${changeName(this.subject())}\u00a0: l’opération a été interrompue sur le serveur.`,
      remedy: retryRemedy,
      isCancelled: followed.wasStopped,
      isDone: false,
    };
  }

  private async decide(checkpoint: ChangeCheckpoint, verdict: Verdict): Promise<Outcome> {
    const decided = { ...checkpoint, verdict };
    await this.context.saveCheckpoint(decided);
    return this.rollBack(decided, verdict);
  }

  private async rollBack(checkpoint: ChangeCheckpoint, verdict: Verdict): Promise<Outcome> {
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
      message: `${verdict.reason} La remise en place a été interrompue ${maxAttempts} fois\u00a0: ce qui est sur le site n’est pas connu.`,
      remedy: retryRemedy,
      code: changeCodes.interrupted,
    });
  }

  /** Nobody stops it: halfway the site is neither as it was nor as it should be. */
  private async runRollback(
    checkpoint: ChangeCheckpoint,
    attempt: number,
    { isDone }: Verdict,
  ): Promise<OperationResult> {
    const order = this.orderOf(checkpoint);
    const reader = new ChangeReader(order);
    const { context } = this;
    const followed = await this.dependencies.operations.run(
      { ...context, signal: context.leaseSignal },
      {
        ...rollbackTask(order, isDone ? safeRollbackMinutes : null),
        name: 'rollback.sh',
        id: derivedId(context.job.id, `rollback:${attempt}`),
        lock: checkpoint.path,
        onLine: (line) => {
          const progress = reader.hear(line);
          if (progress && 'line' in progress) context.report(null, progress.line);
        },
        mayHaveStarted: true,
      },
    );
    return { followed, reader, end: reader.end };
  }

  private async failRollback(
    checkpoint: ChangeCheckpoint,
    verdict: Verdict,
    failure: Exclude<ChangeEnd, { is: 'done' }>,
  ): Promise<Outcome> {
    const start = await this.checker.startWordPress(checkpoint);
    await this.checker.reportScan(start);
    const change = {
      ...this.outcomeOf(checkpoint, undefined, start.facts),
      aside: this.rollbackCopyOf(checkpoint, failure),
    };
    return { state: 'failed', error: rollbackFailedError({ subject: this.subject(), verdict, change }, failure) };
  }

  /** Old code is in opcache for a while, as new code was. */
  private async checkAfterRollback(checkpoint: ChangeCheckpoint, verdict: Verdict): Promise<Outcome> {
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
    const subject = this.subject();
    const change = this.outcomeOf(checkpoint, undefined, start.facts);
    return {
      state: 'failed',
      error: rolledBackError({ subject, verdict, change, hasTables: checkpoint.has_tables_back }, regression),
    };
  }

  private describeOtherVersion(
    { to }: Extract<ChangeEnd, { is: 'done' }>,
    facts: SiteFacts | null,
  ): string | undefined {
    const { version } = stateOfItem(facts, this.input.item);
    const isOther = to !== null && version !== null && version !== to;
    return isOther ? `WordPress dit ${version} au lieu de ${to}` : undefined;
  }

  /** By somebody else, or by this very job, of whose way back a restored Vigie knows nothing. */
  private versionChangedError(otherVersion: string): OutcomeUnknown {
    return new OutcomeUnknown({
      message: `${changeName(this.subject())} est allée à son terme, mais ${otherVersion}\u00a0: ce qui a changé depuis n’est pas connu.`,
      remedy: retryRemedy,
      code: changeCodes.interrupted,
    });
  }

  private outcomeOf(
    checkpoint: ChangeCheckpoint,
    end: Extract<ChangeEnd, { is: 'done' }> | undefined,
    facts: SiteFacts | null,
  ): ChangeOutcome {
    const { item, from, to } = this.input;
    const { version, status } = stateOfItem(facts, item);
    if (!end) return { ...item, from, to, status, aside: null };
    const rollbackCopy = this.rollbackCopyOf(checkpoint, end);
    return {
      ...item,
      name: end.name,
      from: end.from ?? from,
      to: version ?? end.to,
      status: status ?? end.status,
      aside: rollbackCopy,
    };
  }

  private rollbackCopyOf({ begun_at: madeAt }: ChangeCheckpoint, end: ChangeEnd) {
    const copy = end.is === 'refused' ? null : end.aside;
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

  private subject() {
    const { item, from, to } = this.input;
    return { action: this.dependencies.action, item, from, to };
  }

  private step(step: string): void {
    this.context.report({ step, done: null, total: null });
  }
}

/** What WordPress itself says of an item. */
function stateOfItem(facts: SiteFacts | null, { kind, slug }: ChangeInput['item']) {
  const one = facts?.extensions.find(({ type, slug: otherVersion }) => type === kind && otherVersion === slug);
  return { version: (kind === 'core' ? facts?.core.version : one?.version) ?? null, status: one?.status ?? null };
}

/** What was on the way back was killed itself: it can go on. */
const wasKilled = (end: ChangeEnd) => end.is === 'failed' && end.code === changeCodes.interrupted;

const loggedText = ([fatal]: readonly LoggedFatal[]) =>
  `une erreur fatale est apparue dans son journal${fatal ? `\u00a0: ${fatalText(fatal)}` : ''}`;

const withCause = (reason: string, [fatal]: readonly LoggedFatal[]) =>
  fatal ? `${reason}\u00a0— ${fatalText(fatal)}` : reason;
