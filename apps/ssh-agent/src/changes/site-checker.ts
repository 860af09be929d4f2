import type { ChangeInput } from '@vigie/contracts/changes';
import type { SiteFacts } from '@vigie/contracts/inventory';
import type { JobError } from '@vigie/contracts/jobs';
import { reportScans, type ScanResult } from '@vigie/contracts/site-checks';
import type { Connection } from '@vigie/ssh/connection';
import { SiteFailure } from '@vigie/wordpress/host';
import { inspectOrScan } from '@vigie/wordpress/inspect';
import { type LogPlace, type LoggedFatal, readLogs } from '@vigie/wordpress/logs';
import { AppError } from '@vigie/contracts/errors';
import { setTimeout as wait } from 'node:timers/promises';
import { requireAccess, type JobContext } from '../jobs/job-handler';
import type { JobDependencies } from '../jobs/job-dependencies';
import type { Operations } from '../operations/operations';
import { failureOf, hostOf } from '../sites/site-host';
import type { ChangeCheckpoint } from './checkpoint';
import { checkPages, pageLine } from './page-checks';
import { fatalText, isClosed, isBroken, newFatals, type PageChecks, describeRegression } from './regressions';

type SiteLocation = Pick<ChangeCheckpoint, 'php' | 'path'>;
type WordPressStart = { facts: SiteFacts | null; failure: JobError | null; hostKey: string };

const retryMs = 1_000;
const closedLine =
  'Le site répond maintenant 503 à ses visiteurs, avec une page de fermeture, et sa connexion marche\u00a0: c’est ce que cette extension est faite pour montrer. Rien n’est annulé\u202f; désactivez-la pour rouvrir le site.';

/** Looks at the site of one job, from outside and from its host. */
export class SiteChecker {
  constructor(
    private readonly context: JobContext,
    private readonly dependencies: Pick<JobDependencies, 'bus' | 'ruleFor' | 'api'> & { operations: Operations },
    private readonly input: Pick<ChangeInput, 'site' | 'item'>,
    /** Aborted where nobody wants to know any more. */
    private readonly signal: AbortSignal,
  ) {}

  /** The pages of the site as its visitors see them. */
  async visitPages(): Promise<PageChecks> {
    const { job, report } = this.context;
    const checks = await abortable(
      checkPages(this.input.site.url, this.dependencies.ruleFor(requireAccess(job.access))),
      this.signal,
    );
    report(null, pageLine(checks.home), pageLine(checks.login));
    return checks;
  }

  /** Before anything is done: what looks bad is looked at twice, as it is afterwards. */
  async baseline(): Promise<PageChecks> {
    const first = await this.visitPages();
    if (!isBroken(first.home) && !isBroken(first.login)) return first;
    const second = await this.visitPages();
    return {
      home: isBroken(first.home) ? second.home : first.home,
      login: isBroken(first.login) ? second.login : first.login,
    };
  }

  /** Why its pages are worse than they were, seen twice; undefined where they are not. */
  async findPageRegression(before: PageChecks, mayClose = false): Promise<string | undefined> {
    const check = async () => {
      const checks = await this.visitPages();
      if (mayClose && isClosed(checks) && !isClosed(before)) this.context.report(null, closedLine);
      return describeRegression(before, checks, mayClose);
    };
    if ((await check()) === undefined) return undefined;
    this.context.report(null, 'C’est moins bien qu’avant\u00a0: second regard, pour ne pas juger sur un hasard.');
    return check();
  }

  /** The errors that its logs have had since then, and had not before; and where they are by now. */
  async readNewFatals(
    place: SiteLocation,
    since: readonly LogPlace[],
  ): Promise<{ places: LogPlace[]; fatals: LoggedFatal[] }> {
    if (since.length === 0) return { places: [], fatals: [] };
    const { path, php } = place;
    return this.withConnection(async (connection) => {
      const { signal } = this;
      const read = (from: readonly LogPlace[] | null) =>
        readLogs(hostOf(connection), { path }, { php, since: from, signal });
      const { places, fatals } = await read(since);
      if (fatals.length === 0) return { places, fatals };
      return { places, fatals: newFatals(fatals, (await read(null)).fatals, this.input.item) };
    }).catch((error: unknown) => {
      if (error instanceof SiteFailure) return { places: [], fatals: [] };
      throw error;
    });
  }

  reportFatals(fatals: readonly LoggedFatal[]): void {
    for (const fatal of fatals.slice(0, 5)) this.context.report(null, `Journal d’erreurs\u00a0: ${fatalText(fatal)}`);
  }

  /** WordPress itself, in a new process. What came back is older than what it was offered: it asks again then. */
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
        return { facts: await inspectOrScan(hostOf(connection), { path, url }, options), failure: null, hostKey };
      } catch (error) {
        if (!(error instanceof SiteFailure)) throw error;
        return { facts: null, failure: failureOf(error) ?? null, hostKey };
      }
    });
  }

  /** Until the ledger has it: what is shown of the site is what is there. */
  async reportScan({ facts, failure, hostKey }: WordPressStart): Promise<void> {
    const { id, version } = this.input.site;
    const item: ScanResult = { id, version, facts, failure, host_key: hostKey };
    for (;;) {
      try {
        await this.dependencies.bus.call(reportScans, { items: [item] });
        return;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // What was done is done, whatever is shown of it until the next look.
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
