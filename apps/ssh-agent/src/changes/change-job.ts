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
import { Later, type Outcome, Resting, type Running, Unestablished } from '../jobs/job-handler';
import type { JobMeans } from '../jobs/means';
import { derivedId } from '../operations/derived-id';
import type { Operations } from '../operations/operations';
import { opcacheMs } from '../site-looks/site-pages';
import { failureOf } from '../sites/site-host';
import { Memo, type Verdict } from './memo';
import { Preparation } from './preparation';
import { type Action, again, keepIt, nameOf, notBack, putBack, worse } from './sentences';
import { SiteSight } from './site-sight';
import { fatalText, problemText } from './worse-than';

/** To put a copy back, where something ends that again and again. */
const maxTries = 3;
/** In minutes: from then on nobody but a person decides that what was written to a database since is lost. */
const youngMinutes = 10;

type Means = JobMeans & { action: Action; operations: Operations };
type Looked = { end: Extract<ChangeEnd, { is: 'done' }>; reader: ChangeReader; looked: NonNullable<Memo['looked']> };
type Operated = { followed: FollowResult; reader: ChangeReader; end: ChangeEnd | undefined };

/**
 * One change of one site, by whichever worker has it: what was seen before is remembered, what is done is an operation
 * of the host, so that each of them comes to the same end.
 */
export class ChangeJob {
  private readonly input: ChangeInput;
  private readonly sight: SiteSight;

  constructor(
    private readonly running: Running,
    private readonly means: Means,
  ) {
    this.input = ChangeInput.parse(running.job.input);
    this.sight = new SiteSight(running, means, this.input, running.gone);
  }

  async run(): Promise<Outcome> {
    const { job } = this.running;
    const memo = job.memo ? Memo.parse(job.memo) : await this.prepare();
    if ('state' in memo) return memo;
    if (memo.verdict) return this.goBack(memo, memo.verdict);
    const operated = await this.operate(memo);
    const { end, reader, followed } = operated;
    await this.tidyUp(memo, operated);
    if (end?.is === 'refused' || (end?.is === 'failed' && !end.touched)) {
      if (followed.wasStopped) this.running.signal.throwIfAborted();
      const { message, remedy, code } = end;
      return { state: 'failed', error: { message, remedy, code } };
    }
    if (end?.is === 'done')
      return memo.looked ? this.lookAgain(memo, { ...operated, end, looked: memo.looked }) : this.look(memo, reader);
    return this.decide(memo, end ? this.halfDone(end) : this.interrupted(operated));
  }

  /** What is needed before anything begins, or why nothing can. */
  private async prepare(): Promise<Memo | Outcome> {
    try {
      const prepared = await new Preparation(this.running, this.means, this.input).run();
      if ('error' in prepared) return { state: 'failed', error: prepared.error };
      await this.running.remember(prepared.memo);
      return prepared.memo;
    } catch (error) {
      const failure = this.refusalOf(error);
      if (!failure) throw error;
      return { state: 'failed', error: failure };
    }
  }

  /** Before anything begins that is the outcome, however often it was prepared. */
  private refusalOf(error: unknown): JobError | undefined {
    if (error instanceof SiteFailure) return failureOf(error);
    if (!(error instanceof AppError) || this.running.signal.aborted) return undefined;
    return { message: error.message, code: error.code };
  }

  private orderOf({ php, path }: Memo): ChangeOrder {
    const { site, item, to, activate, package: archive, aside_id: asideId } = this.input;
    const { id, url } = site;
    return {
      operation: this.running.job.id,
      site: { id, path, url },
      php,
      api: this.means.api,
      action: this.means.action,
      item,
      to,
      activate,
      package: archive && { sha256: archive.sha256, size: archive.size, unpacked: archive.unpacked },
      asideId,
    };
  }

  private async operate(memo: Memo): Promise<Operated> {
    const order = this.orderOf(memo);
    const reader = new ChangeReader(order);
    const mayStop = () => reader.reached === 'nothing' || reader.reached === 'aside';
    try {
      const followed = await this.means.operations.run(this.running, {
        ...changeTask(order),
        name: 'change.sh',
        lock: memo.path,
        onLine: (line) => {
          const news = reader.hear(line);
          // Where an earlier worker saw the change done it told its progress too: it is read again for its end alone.
          if (news && !memo.looked) this.tellNews(news);
        },
        mayHaveBegun: this.running.job.memo !== null,
        mayStop,
      });
      return { followed, reader, end: reader.end };
    } catch (error) {
      // Whoever goes on with it may find it not begun yet.
      const goesOn = this.running.gone.aborted || (error instanceof Later && error.mayHaveBegun);
      if (!goesOn) await this.dropPackage(memo);
      throw error;
    }
  }

  /**
   * For an operation that was killed after it had told its end. A rollback does this itself, and needs the files until
   * then.
   */
  private async tidyUp(memo: Memo, { end, followed }: Operated): Promise<void> {
    const isSettled = end?.is === 'failed' ? !end.touched : end !== undefined;
    if (!isSettled || followed.outcome !== 'unknown' || memo.looked) return;
    await this.means.operations.run(
      { ...this.running, signal: this.running.gone },
      {
        ...tidyTask(this.orderOf(memo)),
        name: 'tidy.sh',
        id: derivedId(this.running.job.id, 'tidy'),
        lock: memo.path,
        mayHaveBegun: true,
      },
    );
  }

  private tellNews(news: ChangeProgress): void {
    if ('step' in news) this.running.tell(news);
    else this.running.tell(null, news.line);
  }

  /** The operation does so itself where it came to its end. */
  private async dropPackage({ home }: Memo): Promise<void> {
    if (!this.input.package) return;
    await new Preparation(this.running, this.means, this.input).dropPackage(packagePath(home, this.running.job.id));
  }

  /** At once: what is bad now is not left to visitors while opcache forgets. */
  private async look(memo: Memo, reader: ChangeReader): Promise<Outcome> {
    this.step('Vérification');
    const pages = await this.sight.worsePages(memo.baseline, this.mayClose);
    const { places, fatals } = await this.sight.logs(memo, reader.logs);
    this.sight.tellFatals(fatals);
    if (pages !== undefined) return this.decide(memo, this.suffering(withCause(pages, fatals)));
    // Whoever visited while files were replaced may have met half of them: what stays wrong is there again.
    const logs = fatals.length > 0 ? await this.logsAgain(memo, places) : { places, fatals };
    if (logs.fatals.length > 0) return this.decide(memo, this.suffering(loggedText(logs.fatals)));
    await this.running.remember({ ...memo, looked: { at: Date.now(), logs: logs.places } });
    throw new Resting(
      opcacheMs,
      'Le site va bien. Second regard dans quelques secondes, quand PHP aura relu ses fichiers.',
    );
  }

  private async logsAgain(memo: Memo, places: readonly LogPlace[]) {
    await this.sight.pages();
    return this.sight.logs(memo, places);
  }

  private async lookAgain(memo: Memo, { end, reader, looked }: Looked): Promise<Outcome> {
    const { gone } = this.running;
    this.step('Seconde vérification');
    // Whoever was cancelled meanwhile comes before its time.
    const leftMs = Math.min(opcacheMs, looked.at + opcacheMs - Date.now());
    if (leftMs > 0) await wait(leftMs, undefined, { signal: gone });
    const pages = await this.sight.worsePages(memo.baseline, this.mayClose);
    const { fatals } = await this.sight.logs(memo, looked.logs);
    this.sight.tellFatals(fatals);
    let boot = await this.sight.boot(memo, this.means.action === 'restore');
    // The operation started it too, before it changed anything.
    const didStart = memo.problem === null && reader.starts !== false;
    const isWorse = () => problemText(boot.facts?.problem ?? null, didStart);
    // A busy host fails now and then.
    if (isWorse() !== undefined) boot = await this.sight.boot(memo);
    const other = this.otherVersion(end, boot.facts);
    // A copy is not back where its folder is not the site's any more: WordPress reads another version.
    const problem = isWorse() ?? (this.means.action === 'restore' ? other : undefined);
    const logged = fatals.length > 0 ? loggedText(fatals) : undefined;
    const reason = pages === undefined ? (problem ?? logged) : withCause(pages, fatals);
    if (reason !== undefined) return this.decide(memo, this.suffering(reason));
    await this.sight.report(boot);
    if (other !== undefined) throw this.changedSince(other);
    const change = this.changeOf(memo, end, boot.facts);
    this.running.tell(null, `WordPress démarre, et dit\u00a0: ${this.input.item.name} ${change.to ?? ''}`.trim());
    return { state: 'succeeded', result: change };
  }

  /** Some plugins close a site to its visitors as soon as they are active. */
  private get mayClose(): boolean {
    const { item, activate } = this.input;
    const { action } = this.means;
    return item.kind === 'plugin' && (action === 'activate' || (action === 'install' && activate));
  }

  private suffering(reason: string): Verdict {
    const about = this.about();
    const remedy = keepIt(about);
    return { code: changeCodes.rolledBack, reason: worse(about, reason), remedy, isCancelled: false, isDone: true };
  }

  private halfDone({ code, message, remedy }: Pick<JobError, 'message'> & { code: string; remedy: string }): Verdict {
    const kept = code === changeCodes.interrupted ? code : changeCodes.rolledBack;
    return { code: kept, reason: message, remedy, isCancelled: false, isDone: false };
  }

  /** It ended without a word: killed, or its host was. */
  private interrupted({ followed }: Operated): Verdict {
    return {
      code: changeCodes.interrupted,
      reason: `${nameOf(this.about())}\u00a0: l’opération a été interrompue sur le serveur.`,
      remedy: again,
      isCancelled: followed.wasStopped,
      isDone: false,
    };
  }

  private async decide(memo: Memo, verdict: Verdict): Promise<Outcome> {
    const decided = { ...memo, verdict };
    await this.running.remember(decided);
    return this.goBack(decided, verdict);
  }

  private async goBack(memo: Memo, verdict: Verdict): Promise<Outcome> {
    if (memo.back_at !== null) return this.lookBack(memo, verdict);
    this.running.tell({ step: 'Retour arrière', done: null, total: null }, verdict.reason);
    let hasTables = memo.has_tables_back;
    for (let attempt = Math.max(1, memo.tries); attempt <= maxTries; attempt += 1) {
      await this.running.remember({ ...memo, tries: attempt, has_tables_back: hasTables });
      const { end, reader } = await this.rollBack(memo, attempt, verdict);
      hasTables ||= reader.hasTablesBack;
      if (end?.is === 'done') {
        const back = { ...memo, tries: attempt, back_at: Date.now(), has_tables_back: hasTables };
        await this.running.remember(back);
        return this.lookBack(back, verdict);
      }
      if (end && !wasKilled(end)) return this.notBack(memo, verdict, end);
    }
    throw new Unestablished({
      message: `${verdict.reason} La remise en place a été interrompue ${maxTries} fois\u00a0: ce qui est sur le site n’est pas connu.`,
      remedy: again,
      code: changeCodes.interrupted,
    });
  }

  /** Nobody stops it: halfway the site is neither as it was nor as it should be. */
  private async rollBack(memo: Memo, attempt: number, { isDone }: Verdict): Promise<Operated> {
    const order = this.orderOf(memo);
    const reader = new ChangeReader(order);
    const { running } = this;
    const followed = await this.means.operations.run(
      { ...running, signal: running.gone },
      {
        ...rollbackTask(order, isDone ? youngMinutes : null),
        name: 'rollback.sh',
        id: derivedId(running.job.id, `rollback:${attempt}`),
        lock: memo.path,
        onLine: (line) => {
          const news = reader.hear(line);
          if (news && 'line' in news) running.tell(null, news.line);
        },
        mayHaveBegun: true,
      },
    );
    return { followed, reader, end: reader.end };
  }

  private async notBack(memo: Memo, verdict: Verdict, why: Exclude<ChangeEnd, { is: 'done' }>): Promise<Outcome> {
    const boot = await this.sight.boot(memo);
    await this.sight.report(boot);
    const change = { ...this.changeOf(memo, undefined, boot.facts), aside: this.asideOf(memo, why) };
    return { state: 'failed', error: notBack({ about: this.about(), verdict, change }, why) };
  }

  /** Old code is in opcache for a while, as new code was. */
  private async lookBack(memo: Memo, verdict: Verdict): Promise<Outcome> {
    const { gone, signal } = this.running;
    const leftMs = Math.min(opcacheMs, (memo.back_at ?? 0) + opcacheMs - Date.now());
    let still = await this.sight.worsePages(memo.baseline);
    if (still !== undefined && leftMs > 0) {
      await wait(leftMs, undefined, { signal: gone });
      still = await this.sight.worsePages(memo.baseline);
    }
    const boot = await this.sight.boot(memo, true);
    await this.sight.report(boot);
    if (verdict.isCancelled && still === undefined) signal.throwIfAborted();
    const about = this.about();
    const change = this.changeOf(memo, undefined, boot.facts);
    return { state: 'failed', error: putBack({ about, verdict, change, hasTables: memo.has_tables_back }, still) };
  }

  private otherVersion({ to }: Extract<ChangeEnd, { is: 'done' }>, facts: SiteFacts | null): string | undefined {
    const { version } = found(facts, this.input.item);
    const isOther = to !== null && version !== null && version !== to;
    return isOther ? `WordPress dit ${version} au lieu de ${to}` : undefined;
  }

  /** By somebody else, or by this very job, of whose way back a restored Vigie knows nothing. */
  private changedSince(other: string): Unestablished {
    return new Unestablished({
      message: `${nameOf(this.about())} est allée à son terme, mais ${other}\u00a0: ce qui a changé depuis n’est pas connu.`,
      remedy: again,
      code: changeCodes.interrupted,
    });
  }

  private changeOf(
    memo: Memo,
    end: Extract<ChangeEnd, { is: 'done' }> | undefined,
    facts: SiteFacts | null,
  ): ChangeOutcome {
    const { item, from, to } = this.input;
    const { version, status } = found(facts, item);
    if (!end) return { ...item, from, to, status, aside: null };
    const aside = this.asideOf(memo, end);
    return {
      ...item,
      name: end.name,
      from: end.from ?? from,
      to: version ?? end.to,
      status: status ?? end.status,
      aside,
    };
  }

  private asideOf({ begun_at: madeAt }: Memo, end: ChangeEnd) {
    const copy = end.is === 'refused' ? null : end.aside;
    return (
      copy && {
        id: this.running.job.id,
        version: copy.version ?? this.input.from,
        bytes: copy.bytes,
        made_at: madeAt,
        has_tables: copy.has_tables,
      }
    );
  }

  private about() {
    const { item, from, to } = this.input;
    return { action: this.means.action, item, from, to };
  }

  private step(step: string): void {
    this.running.tell({ step, done: null, total: null });
  }
}

/** What WordPress itself says of an item. */
function found(facts: SiteFacts | null, { kind, slug }: ChangeInput['item']) {
  const one = facts?.extensions.find(({ type, slug: other }) => type === kind && other === slug);
  return { version: (kind === 'core' ? facts?.core.version : one?.version) ?? null, status: one?.status ?? null };
}

/** What was on the way back was killed itself: it can go on. */
const wasKilled = (end: ChangeEnd) => end.is === 'failed' && end.code === changeCodes.interrupted;

const loggedText = ([fatal]: readonly LoggedFatal[]) =>
  `une erreur fatale est apparue dans son journal${fatal ? `\u00a0: ${fatalText(fatal)}` : ''}`;

const withCause = (reason: string, [fatal]: readonly LoggedFatal[]) =>
  fatal ? `${reason}\u00a0— ${fatalText(fatal)}` : reason;
