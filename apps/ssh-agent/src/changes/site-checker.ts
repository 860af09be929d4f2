import type { ChangeInput } from '@vigie/contracts/changes';
import type { SiteState } from '@vigie/contracts/inventory';
import type { JobError } from '@vigie/contracts/jobs';
import { reportScans, type ScanResult } from '@vigie/contracts/site-checks';
import type { Connection } from '@vigie/ssh/connection';
import { SiteFailure } from '@vigie/wordpress/host';
import { inspectOrScan } from '@vigie/wordpress/inspect';
import { type LogPosition, type LoggedFatal, readLogs } from '@vigie/wordpress/logs';
import { AppError } from '@vigie/contracts/errors';
import { setTimeout as wait } from 'node:timers/promises';
import { requireAccess, type JobContext } from '../jobs/job-handler';
import type { JobDependencies } from '../job-dependencies';
import type { Operations } from '../operations/operations';
import { opcacheMs } from '../site-checks/site-pages';
import { failureOf, hostOf } from '../sites/site-host';
import type { Checkpoint } from './checkpoint';
import { checkPages, pageLine } from './page-checks';
import {
  fatalText,
  findRegression,
  isBroken,
  isClosed,
  newFatals,
  type PageChecks,
  problemText,
  withCause,
  loggedText,
} from './regressions';

type SiteLocation = Pick<Checkpoint, 'php' | 'path'>;
type SiteBefore = Pick<Checkpoint, 'baseline'>;
type WordPressStart = { state: SiteState | null; failure: JobError | null; hostKey: string };
/** What a look after a change found: why the site is worse, if it is, and where its logs end. */
type Look = { reason: string | undefined; fatals: LoggedFatal[]; places: LogPosition[] };
type SecondLook = {
  mayClose?: boolean;
  /** Whether WordPress started before the change. */
  didStart: boolean;
  refreshes?: boolean;
};

const retryMs = 1_000;
const closedLine =
  'Le site répond maintenant 503 à ses visiteurs, avec une page de fermeture, et sa connexion marche\u00a0: c’est le rôle de cette extension. Rien n’est annulé\u202f; désactivez-la pour rouvrir le site.';

/** Checks the site of one job, from outside and on its host. */
export class SiteChecker {
  /** What the last visit of the pages saw. */
  lastVisit: PageChecks | null = null;

  constructor(
    private readonly context: JobContext,
    private readonly dependencies: Pick<JobDependencies, 'bus' | 'ruleFor' | 'api'> & { operations: Operations },
    private readonly input: Pick<ChangeInput, 'site'> & { items: readonly ChangeInput['item'][] },
    /** Aborted when the result is no longer needed. */
    private readonly signal: AbortSignal,
  ) {}

  /** Visits the pages of the site as a visitor does. */
  async visitPages(): Promise<PageChecks> {
    const { job, report } = this.context;
    const checks = await abortable(
      checkPages(this.input.site.url, this.dependencies.ruleFor(requireAccess(job.access))),
      this.signal,
    );
    report(null, pageLine(checks.home), pageLine(checks.login));
    this.lastVisit = checks;
    return checks;
  }

  /** The state before the change. A page that looks broken is visited twice, as after the change. */
  async baseline(): Promise<PageChecks> {
    const first = await this.visitPages();
    if (!isBroken(first.home) && !isBroken(first.login)) return first;
    const second = await this.visitPages();
    return {
      home: isBroken(first.home) ? second.home : first.home,
      login: isBroken(first.login) ? second.login : first.login,
    };
  }

  /** Why the pages are worse than before, confirmed by a second visit; undefined if they are not. */
  private async findPageRegression(before: PageChecks, mayClose = false): Promise<string | undefined> {
    const check = async () => {
      const checks = await this.visitPages();
      if (mayClose && isClosed(checks) && !isClosed(before)) this.context.report(null, closedLine);
      return findRegression(before, checks, mayClose);
    };
    if ((await check()) === undefined) return undefined;
    this.context.report(null, 'Le site va moins bien qu’avant\u00a0: nouvelle visite, pour écarter un hasard.');
    return check();
  }

  /** The first look after a change, made at once: visitors must not meet a broken site until opcache has expired. */
  async look(location: SiteLocation & SiteBefore, since: readonly LogPosition[], mayClose = false): Promise<Look> {
    const pages = await this.findPageRegression(location.baseline, mayClose);
    let logs = await this.readNewFatals(location, since);
    this.reportFatals(logs.fatals);
    if (pages !== undefined) return { ...logs, reason: withCause(pages, logs.fatals) };
    if (logs.fatals.length > 0) {
      // A visit while the files were replaced may have failed; an error that stays appears again.
      await this.visitPages();
      logs = await this.readNewFatals(location, logs.places);
    }
    return { ...logs, reason: loggedText(logs.fatals) };
  }

  /** The second look, when PHP has read the new files, with a start of WordPress in a new process. */
  async lookAgain(
    location: SiteLocation & SiteBefore,
    since: readonly LogPosition[],
    { mayClose = false, didStart, refreshes = false }: SecondLook,
  ): Promise<Look & { start: WordPressStart }> {
    const pages = await this.findPageRegression(location.baseline, mayClose);
    const logs = await this.readNewFatals(location, since);
    this.reportFatals(logs.fatals);
    let start = await this.startWordPress(location, refreshes);
    const isWorse = () => problemText(start.state?.problem ?? null, didStart);
    // A busy host fails to start PHP now and then.
    if (isWorse() !== undefined) start = await this.startWordPress(location);
    const reason = pages === undefined ? (isWorse() ?? loggedText(logs.fatals)) : withCause(pages, logs.fatals);
    return { ...logs, reason, start };
  }

  /** Waits until PHP has read files that were changed at this time. */
  async waitForOpcache(changedAt: number): Promise<void> {
    const leftMs = Math.min(opcacheMs, changedAt + opcacheMs - Date.now());
    if (leftMs > 0) await wait(leftMs, undefined, { signal: this.signal });
  }

  /** The look after a rollback: why the site is still worse than before, and what WordPress says of itself. */
  async lookAfterRollback(
    location: SiteLocation & SiteBefore,
    rolledBackAt: number,
  ): Promise<{ regression: string | undefined; start: WordPressStart }> {
    // Opcache may serve the changed code for a while.
    const isEarly = Date.now() < rolledBackAt + opcacheMs;
    let regression = await this.findPageRegression(location.baseline);
    if (regression !== undefined && isEarly) {
      await this.waitForOpcache(rolledBackAt);
      regression = await this.findPageRegression(location.baseline);
    }
    const start = await this.startWordPress(location, true);
    await this.reportScan(start);
    return { regression, start };
  }

  /** The fatal errors that are new in the logs since these positions, and the positions now. */
  private async readNewFatals(
    location: SiteLocation,
    since: readonly LogPosition[],
  ): Promise<{ places: LogPosition[]; fatals: LoggedFatal[] }> {
    if (since.length === 0) return { places: [], fatals: [] };
    const { path, php } = location;
    return this.withConnection(async (connection) => {
      const { signal } = this;
      const read = (from: readonly LogPosition[] | null) =>
        readLogs(hostOf(connection), { path }, { php, since: from, signal });
      const { places, fatals } = await read(since);
      if (fatals.length === 0) return { places, fatals };
      return { places, fatals: newFatals(fatals, (await read(null)).fatals, this.input.items) };
    }).catch((error: unknown) => {
      if (error instanceof SiteFailure) return { places: [], fatals: [] };
      throw error;
    });
  }

  private reportFatals(fatals: readonly LoggedFatal[]): void {
    for (const fatal of fatals.slice(0, 5)) this.context.report(null, `Journal d’erreurs\u00a0: ${fatalText(fatal)}`);
  }

  /** Starts WordPress in a new process. After a rollback it looks for updates again, since the version is older now. */
  async startWordPress({ php, path }: SiteLocation, wasRolledBack = false): Promise<WordPressStart> {
    const { url } = this.input.site;
    return this.withConnection(async (connection) => {
      const { hostKey } = connection;
      const options = {
        php,
        refreshes: wasRolledBack,
        api: wasRolledBack ? this.dependencies.api : null,
        signal: this.signal,
      };
      try {
        return { state: await inspectOrScan(hostOf(connection), { path, url }, options), failure: null, hostKey };
      } catch (error) {
        if (!(error instanceof SiteFailure)) throw error;
        return { state: null, failure: failureOf(error) ?? null, hostKey };
      }
    });
  }

  /** Repeats the report until the ledger has it, so that Vigie shows the site as it is. */
  async reportScan({ state, failure, hostKey }: WordPressStart): Promise<void> {
    const { id, version } = this.input.site;
    const item: ScanResult = { id, version, facts: state, failure, host_key: hostKey };
    for (;;) {
      try {
        await this.dependencies.bus.call(reportScans, { items: [item] });
        return;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // The change is done, even if Vigie shows the old state until the next scan.
        if (error.code !== 'unavailable') return this.context.report(null, `Site relu, mais\u00a0: ${error.message}`);
        await wait(retryMs, undefined, { signal: this.signal });
      }
    }
  }

  private withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const { job, report } = this.context;
    const mayHaveStarted = job.memo !== null || this.signal === this.context.leaseSignal;
    return this.dependencies.operations.withConnection({ job, report, signal: this.signal, mayHaveStarted }, work);
  }
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
