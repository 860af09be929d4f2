import { type ChangeInput, type Package } from '@vigie/contracts/changes';
import { AppError } from '@vigie/contracts/errors';
import type { JobError } from '@vigie/contracts/jobs';
import type { Connection } from '@vigie/ssh/connection';
import { runScript } from '@vigie/ssh/script';
import { packagePath } from '@vigie/wordpress/change';
import { searchSite } from '@vigie/wordpress/diagnose';
import { SiteFailure } from '@vigie/wordpress/host';
import { findPhp } from '@vigie/wordpress/php';
import type { JobContext } from '../jobs/job-handler';
import type { JobDependencies } from '../job-dependencies';
import type { Operations } from '../operations/operations';
import { failureOf, hostOf } from '../sites/site-host';
import type { Checkpoint } from './checkpoint';
import findHome from './place.sh';
import { removePackage, sendPackage } from './send-package';
import type { Action } from './sentences';
import { SiteChecker } from './site-checker';
import { isBroken } from './regressions';

type ChangeDependencies = JobDependencies & { action: Action; operations: Operations };

const cleanUpMs = 20_000;

/** A refusal during the preparation is the outcome of the job, in any attempt; undefined for other errors. */
export function refusalOf(error: unknown, signal: AbortSignal): JobError | undefined {
  if (error instanceof SiteFailure) return failureOf(error);
  if (!(error instanceof AppError) || signal.aborted) return undefined;
  return { message: error.message, code: error.code };
}

/** Prepares a change without changing the site: checks the site, and sends the package to its host. */
export class Preparation {
  constructor(
    private readonly context: JobContext,
    private readonly dependencies: ChangeDependencies,
    private readonly input: ChangeInput,
  ) {}

  async run(): Promise<{ checkpoint: Checkpoint } | { error: JobError }> {
    const { context, input } = this;
    const { signal, report } = context;
    signal.throwIfAborted();
    const checker = new SiteChecker(context, this.dependencies, { site: input.site, items: [input.item] }, signal);
    report({ step: 'État de départ', done: null, total: null }, 'Le site est vérifié avant toute modification.');
    const location = await this.withConnection((connection) => this.locateSite(connection));
    const baseline = await checker.baseline();
    const wasBroken = isBroken(baseline.home) || isBroken(baseline.login);
    // Code that fails only on the command line shows on no page. Other changes start WordPress in their operation.
    const problem =
      this.dependencies.action === 'restore' ? ((await checker.startWordPress(location)).state?.problem ?? null) : null;
    if (wasBroken) report(null, 'Le site allait déjà mal\u00a0: la modification n’en sera pas tenue pour responsable.');
    const error = input.package && (await this.send(input.package, packagePath(location.home, context.job.id)));
    if (error) return { error };
    const initial = {
      begun_at: new Date().toISOString(),
      looked: null,
      verdict: null,
      tries: 0,
      back_at: null,
      has_tables_back: false,
    };
    return { checkpoint: { ...location, ...initial, baseline, problem } };
  }

  /** Removes the package. If that fails, the next package that is sent removes it after a day. */
  async dropPackage(path: string): Promise<void> {
    const signal = AbortSignal.any([this.context.leaseSignal, AbortSignal.timeout(cleanUpMs)]);
    const { job, report } = this.context;
    await this.dependencies.operations
      .withConnection({ job, report, signal, mayHaveStarted: true }, (connection) =>
        removePackage(connection, path, signal),
      )
      .catch(() => undefined);
  }

  private async locateSite(connection: Connection): Promise<Pick<Checkpoint, 'php' | 'path' | 'home'>> {
    const { signal } = this.context;
    const { path, php: storedPhp, url } = this.input.site;
    const host = hostOf(connection);
    const { stdout } = await runScript(connection, findHome, { args: [storedPhp ?? ''], signal, name: 'place.sh' });
    const [found = '', home = ''] = stdout.bytes.toString().split('\n');
    const php = storedPhp !== null && found === 'php' ? storedPhp : (await findPhp(host, storedPhp, signal)).binary;
    return { php, home, path: path ?? (await searchSite(host, url, { php, signal })) };
  }

  private async send(archive: Package, path: string): Promise<JobError | undefined> {
    const { job, signal, report } = this.context;
    const { size, filename } = archive;
    const store = await this.dependencies.openStore();
    report(
      { step: 'Transfert', done: 0, total: size },
      `Envoi de ${filename} vers ${path}, empreinte SHA-256 vérifiée.`,
    );
    const onPart = (done: number) => report({ step: 'Transfert', done, total: size });
    try {
      return await this.withConnection((connection) =>
        sendPackage(connection, store, { package: archive, path, name: String(job.fence), signal, onPart }),
      );
    } catch (error) {
      await this.dropPackage(path);
      throw error;
    }
  }

  private withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const { job, report, signal } = this.context;
    return this.dependencies.operations.withConnection({ job, report, signal, mayHaveStarted: false }, work);
  }
}
