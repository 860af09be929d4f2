import { BackupInput } from '@vigie/contracts/backups';
import type { BackupPlace } from '@vigie/wordpress/backups';
import { z } from 'zod';
import { Later, type Running } from '../jobs/job-handler';
import type { JobMeans } from '../jobs/means';
import type { Operations } from '../operations/operations';
import { Growth } from './growth';
import { onHostOf, SiteFolder } from './site-folder';

export type BackupMeans = Pick<JobMeans, 'openStore' | 'ruleFor'>;
/** Whether the archive on the host is a copy that this job made for itself. */
const Copied = z.object({ copied: z.boolean().default(false) });
/** Kept before it begins: whoever goes on with it, or ends it, does so where it began. */
const Memo = z.object({
  path: z.string(),
  php: z.string(),
  /** As the host told it, where nobody knew. */
  content: z.string().nullish(),
  /** How often somebody began to take it back. */
  tries: z.int().default(0),
  ...Copied.shape,
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
  /** Of what is moved by it, where that is kept from one claim to the next. */
  readonly growth: Growth;
  /** By a worker before this one. */
  readonly wasPlaced: boolean;
  private kept: Memo | undefined;
  hasCopy: boolean;

  constructor(
    readonly running: Running,
    { openStore, operations, ruleFor }: Means,
  ) {
    this.input = BackupInput.parse(running.job.input);
    this.kept = Memo.safeParse(running.job.memo).data;
    this.wasPlaced = this.kept !== undefined;
    this.hasCopy = Copied.safeParse(running.job.memo).data?.copied ?? false;
    this.growth = new Growth(running.job);
    const since = () => this.growth.reached.since;
    const onHost = onHostOf(operations, running, () => ({ mayHaveBegun: this.kept !== undefined, since }));
    this.folder = new SiteFolder(onHost, this.input, running.signal);
    this.openStore = openStore;
    this.ruleFor = ruleFor;
    this.operations = operations;
  }

  /** Where its site lies, and what is known of it by whoever had it before. */
  async place(): Promise<BackupPlace & Memo> {
    if (!this.kept) {
      const place = await this.folder.place();
      this.kept = { ...place, tries: 0, copied: this.hasCopy };
      await this.running.remember(this.kept);
    }
    return { ...this.kept, content: this.input.content ?? this.kept.content ?? null };
  }

  /** Known before the copy is made, so that whoever ends this job takes it away. */
  async keepCopied(): Promise<void> {
    this.hasCopy = true;
    await this.running.remember({ copied: true, ...this.growth.reached });
  }

  /** Nothing but the copy that this job made, if it made one. */
  async removeCopy(): Promise<void> {
    const { filename, object } = this.input;
    if (!this.hasCopy) return;
    await this.clean(async (folder) => {
      // Somebody may have put another file there before the copy could be made.
      if ((await folder.facts(filename, true))?.sha256 === object?.sha256) await folder.remove(filename);
    });
  }

  /** Whether another worker goes on from what is there. */
  goesOn(error: unknown): boolean {
    return this.running.gone.aborted || (error instanceof Later && !this.running.signal.aborted);
  }

  /** For whoever goes on with it; where it cannot be kept, what is there says as much. */
  async keepReached(more: Record<string, unknown> = {}): Promise<void> {
    const copied = this.hasCopy && { copied: true };
    await this.running.remember({ ...more, ...copied, ...this.growth.reached }).catch(() => undefined);
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
