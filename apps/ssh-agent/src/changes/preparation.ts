import { type ChangeInput, type Package } from '@vigie/contracts/changes';
import type { JobError } from '@vigie/contracts/jobs';
import type { Connection } from '@vigie/ssh/connection';
import { runScript } from '@vigie/ssh/script';
import { packagePath } from '@vigie/wordpress/change';
import { searchSite } from '@vigie/wordpress/diagnose';
import { findPhp } from '@vigie/wordpress/php';
import type { Running } from '../jobs/job-handler';
import type { JobMeans } from '../jobs/means';
import type { Operations } from '../operations/operations';
import { hostOf } from '../sites/site-host';
import type { Memo } from './memo';
import findPlace from './place.sh';
import { removePackage, sendPackage } from './send-package';
import type { Action } from './sentences';
import { SiteSight } from './site-sight';
import { isUnwell } from './worse-than';

type Means = JobMeans & { action: Action; operations: Operations };

const dropMs = 20_000;

/** What comes before a change, and changes nothing: how the site is, and the archive on its host. */
export class Preparation {
  constructor(
    private readonly running: Running,
    private readonly means: Means,
    private readonly input: ChangeInput,
  ) {}

  async run(): Promise<{ memo: Memo } | { error: JobError }> {
    const { running, input } = this;
    const { signal, tell } = running;
    signal.throwIfAborted();
    const sight = new SiteSight(running, this.means, input, signal);
    tell({ step: 'État de départ', done: null, total: null }, 'Le site est regardé avant toute modification.');
    const place = await this.onHost((connection) => this.place(connection));
    const baseline = await sight.baseline();
    const isBroken = isUnwell(baseline.home) || isUnwell(baseline.login);
    // Code that fails on the command line alone shows on no page. All others are started by their operation.
    const problem = this.means.action === 'restore' ? ((await sight.boot(place)).facts?.problem ?? null) : null;
    if (isBroken)
      tell(null, 'Le site n’allait déjà pas bien\u00a0: la modification n’en sera pas tenue pour responsable.');
    const error = input.package && (await this.send(input.package, packagePath(place.home, running.job.id)));
    if (error) return { error };
    const begun = {
      begun_at: new Date().toISOString(),
      looked: null,
      verdict: null,
      tries: 0,
      back_at: null,
      has_tables_back: false,
    };
    return { memo: { ...place, ...begun, baseline, problem } };
  }

  /** What is left of it nobody else would remove; where that fails, the next archive takes it away after a day. */
  async dropPackage(path: string): Promise<void> {
    const signal = AbortSignal.any([this.running.gone, AbortSignal.timeout(dropMs)]);
    const { job, tell } = this.running;
    await this.means.operations
      .look({ job, tell, signal, mayHaveBegun: true }, (connection) => removePackage(connection, path, signal))
      .catch(() => undefined);
  }

  private async place(connection: Connection): Promise<Pick<Memo, 'php' | 'path' | 'home'>> {
    const { signal } = this.running;
    const { path, php: known, url } = this.input.site;
    const host = hostOf(connection);
    const { stdout } = await runScript(connection, findPlace, { args: [known ?? ''], signal, name: 'place.sh' });
    const [is = '', home = ''] = stdout.bytes.toString().split('\n');
    const php = known !== null && is === 'php' ? known : (await findPhp(host, known, signal)).binary;
    return { php, home, path: path ?? (await searchSite(host, url, { php, signal })) };
  }

  private async send(archive: Package, path: string): Promise<JobError | undefined> {
    const { job, signal, tell } = this.running;
    const { size, filename } = archive;
    const store = await this.means.openStore();
    tell({ step: 'Transfert', done: 0, total: size }, `Envoi de ${filename} vers ${path}, empreinte SHA-256 vérifiée.`);
    const onPart = (done: number) => tell({ step: 'Transfert', done, total: size });
    try {
      return await this.onHost((connection) =>
        sendPackage(connection, store, { package: archive, path, name: String(job.fence), signal, onPart }),
      );
    } catch (error) {
      await this.dropPackage(path);
      throw error;
    }
  }

  private onHost<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const { job, tell, signal } = this.running;
    return this.means.operations.look({ job, tell, signal, mayHaveBegun: false }, work);
  }
}
