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
import { requireAccess, type Running } from '../jobs/job-handler';
import type { JobMeans } from '../jobs/means';
import type { Operations } from '../operations/operations';
import { failureOf, hostOf } from '../sites/site-host';
import type { Memo } from './memo';
import { lookAtPages, pageLine } from './page-look';
import { fatalText, isClosed, isUnwell, newFatals, type Sight, worseThan } from './worse-than';

type Place = Pick<Memo, 'php' | 'path'>;
type Boot = { facts: SiteFacts | null; failure: JobError | null; hostKey: string };

const tellAgainMs = 1_000;
const closedLine =
  'Le site répond maintenant 503 à ses visiteurs, avec une page de fermeture, et sa connexion marche\u00a0: c’est ce que cette extension est faite pour montrer. Rien n’est annulé\u202f; désactivez-la pour rouvrir le site.';

/** Looks at the site of one job, from outside and from its host. */
export class SiteSight {
  constructor(
    private readonly running: Running,
    private readonly means: Pick<JobMeans, 'bus' | 'ruleFor' | 'api'> & { operations: Operations },
    private readonly input: Pick<ChangeInput, 'site' | 'item'>,
    /** Aborted where nobody wants to know any more. */
    private readonly signal: AbortSignal,
  ) {}

  /** The pages of the site as its visitors see them. */
  async pages(): Promise<Sight> {
    const { job, tell } = this.running;
    const seen = await orAborted(
      lookAtPages(this.input.site.url, this.means.ruleFor(requireAccess(job.access))),
      this.signal,
    );
    tell(null, pageLine(seen.home), pageLine(seen.login));
    return seen;
  }

  /** Before anything is done: what looks bad is looked at twice, as it is afterwards. */
  async baseline(): Promise<Sight> {
    const first = await this.pages();
    if (!isUnwell(first.home) && !isUnwell(first.login)) return first;
    const second = await this.pages();
    return {
      home: isUnwell(first.home) ? second.home : first.home,
      login: isUnwell(first.login) ? second.login : first.login,
    };
  }

  /** Why its pages are worse than they were, seen twice; undefined where they are not. */
  async worsePages(before: Sight, mayClose = false): Promise<string | undefined> {
    const worse = async () => {
      const seen = await this.pages();
      if (mayClose && isClosed(seen) && !isClosed(before)) this.running.tell(null, closedLine);
      return worseThan(before, seen, mayClose);
    };
    if ((await worse()) === undefined) return undefined;
    this.running.tell(null, 'C’est moins bien qu’avant\u00a0: second regard, pour ne pas juger sur un hasard.');
    return worse();
  }

  /** The errors that its logs have had since then, and had not before; and where they are by now. */
  async logs(place: Place, since: readonly LogPlace[]): Promise<{ places: LogPlace[]; fatals: LoggedFatal[] }> {
    if (since.length === 0) return { places: [], fatals: [] };
    const { path, php } = place;
    return this.onHost(async (connection) => {
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

  tellFatals(fatals: readonly LoggedFatal[]): void {
    for (const fatal of fatals.slice(0, 5)) this.running.tell(null, `Journal d’erreurs\u00a0: ${fatalText(fatal)}`);
  }

  /** WordPress itself, in a new process. What came back is older than what it was offered: it asks again then. */
  async boot({ php, path }: Place, isBack = false): Promise<Boot> {
    const { url } = this.input.site;
    return this.onHost(async (connection) => {
      const { hostKey } = connection;
      const options = { php, refreshes: isBack, api: isBack ? this.means.api : null, signal: this.signal };
      try {
        return { facts: await inspectOrScan(hostOf(connection), { path, url }, options), failure: null, hostKey };
      } catch (error) {
        if (!(error instanceof SiteFailure)) throw error;
        return { facts: null, failure: failureOf(error) ?? null, hostKey };
      }
    });
  }

  /** Until the ledger has it: what is shown of the site is what is there. */
  async report({ facts, failure, hostKey }: Boot): Promise<void> {
    const { id, version } = this.input.site;
    const item: ScanResult = { id, version, facts, failure, host_key: hostKey };
    for (;;) {
      try {
        await this.means.bus.call(reportScans, { items: [item] });
        return;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // What was done is done, whatever is shown of it until the next look.
        if (error.code !== 'unavailable') return this.running.tell(null, `Site relu, mais\u00a0: ${error.message}`);
        await wait(tellAgainMs, undefined, { signal: this.signal });
      }
    }
  }

  private onHost<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const { job, tell } = this.running;
    const mayHaveBegun = job.memo !== null || this.signal === this.running.gone;
    return this.means.operations.look({ job, tell, signal: this.signal, mayHaveBegun }, work);
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
