import { BackupInput } from '@vigie/contracts/backups';
import type { BackupPlace } from '@vigie/wordpress/backups';
import { z } from 'zod';
import type { ChangeMeans } from '../changes/means';
import { Later, type Running } from '../jobs/job-handler';
import type { Operations } from '../operations/operations';
import { onHostOf, SiteFolder } from './site-folder';

export type BackupMeans = Pick<ChangeMeans, 'openStore' | 'ruleFor'>;
/** Kept before it begins: whoever goes on with it, or ends it, does so where it began. */
const Memo = z.object({
  path: z.string(),
  php: z.string(),
  /** How often somebody began to take it back. */
  tries: z.int().default(0),
});
type Memo = z.infer<typeof Memo>;

type Means = BackupMeans & { operations: Operations };

/** For what nobody waits for any more. */
const dropMs = 20_000;

/** One job on one archive, by whichever worker has it. */
export class BackupTask {
  readonly input: BackupInput;
  readonly folder: SiteFolder;
  readonly openStore: BackupMeans['openStore'];
  readonly ruleFor: BackupMeans['ruleFor'];
  readonly operations: Operations;

  constructor(
    readonly running: Running,
    { openStore, operations, ruleFor }: Means,
  ) {
    this.input = BackupInput.parse(running.job.input);
    this.folder = new SiteFolder(onHostOf(operations, running), this.input, running.signal);
    this.openStore = openStore;
    this.ruleFor = ruleFor;
    this.operations = operations;
  }

  /** Where its site lies, and what is known of it by whoever had it before. */
  async place(): Promise<BackupPlace & Memo> {
    const { memo } = this.running.job;
    if (memo) return { ...Memo.parse(memo), content: this.input.content };
    const { path, php } = await this.folder.place();
    await this.running.remember({ path, php });
    return { path, php, content: this.input.content, tries: 0 };
  }

  /** Whether another worker goes on from what is there. */
  goesOn(error: unknown): boolean {
    return this.running.gone.aborted || (error instanceof Later && !this.running.signal.aborted);
  }

  /** Where it fails, whoever writes there next takes it away. */
  async clean(work: (folder: SiteFolder) => Promise<unknown>): Promise<void> {
    const signal = AbortSignal.any([this.running.gone, AbortSignal.timeout(dropMs)]);
    await work(this.folder.until(signal)).catch(() => undefined);
  }

  /** In bytes. */
  tell(step: string, done: number | null, total: number | null, ...lines: string[]): void {
    this.running.tell({ step, done, total }, ...lines);
  }
}
