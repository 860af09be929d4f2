import { BackupInput } from '@vigie/contracts/backups';
import type { ArchiveLocation } from '@vigie/wordpress/backups';
import { z } from 'zod';
import { RetryLater, type JobContext } from '../jobs/job-handler';
import type { JobDependencies } from '../job-dependencies';
import type { Operations } from '../operations/operations';
import { TransferProgress } from './transfer-progress';
import { runOnHostWith, BackupFolder } from './backup-folder';

export type BackupDependencies = Pick<JobDependencies, 'openStore' | 'ruleFor'>;
/** `copied`: the archive on the host is a copy that this job made. */
const CopyCheckpoint = z.object({ copied: z.boolean().default(false) });
/** Saved before the operation starts, so that every later worker resumes or ends it in the same place. */
const TaskCheckpoint = z.object({
  path: z.string(),
  php: z.string(),
  /** The content folder as the host reported it, when it was not known. */
  content: z.string().nullish(),
  /** How many times undoing the restore was started. */
  tries: z.int().default(0),
  ...CopyCheckpoint.shape,
});
type TaskCheckpoint = z.infer<typeof TaskCheckpoint>;

type TaskDependencies = BackupDependencies & { operations: Operations };

/** The time limit of a clean-up, whose result nobody waits for. */
const cleanUpMs = 20_000;

/** One job on one archive, as one worker runs it. */
export class BackupTask {
  readonly input: BackupInput;
  readonly folder: BackupFolder;
  readonly openStore: BackupDependencies['openStore'];
  readonly ruleFor: BackupDependencies['ruleFor'];
  readonly operations: Operations;
  readonly transfer: TransferProgress;
  readonly hadCheckpoint: boolean;
  private checkpoint: TaskCheckpoint | undefined;
  hasCopy: boolean;

  constructor(
    readonly context: JobContext,
    { openStore, operations, ruleFor }: TaskDependencies,
  ) {
    this.input = BackupInput.parse(context.job.input);
    this.checkpoint = TaskCheckpoint.safeParse(context.job.memo).data;
    this.hadCheckpoint = this.checkpoint !== undefined;
    this.hasCopy = CopyCheckpoint.safeParse(context.job.memo).data?.copied ?? false;
    this.transfer = new TransferProgress(context.job);
    const firstFence = () => this.transfer.best.since;
    const onHost = runOnHostWith(operations, context, () => ({
      mayHaveStarted: this.checkpoint !== undefined,
      firstFence,
    }));
    this.folder = new BackupFolder(onHost, this.input, context.signal);
    this.openStore = openStore;
    this.ruleFor = ruleFor;
    this.operations = operations;
  }

  /** The location of the site, with the checkpoint of earlier workers. */
  async locateSite(): Promise<ArchiveLocation & TaskCheckpoint> {
    if (!this.checkpoint) {
      const location = await this.folder.locate();
      this.checkpoint = { ...location, tries: 0, copied: this.hasCopy };
      await this.context.saveCheckpoint(this.checkpoint);
    }
    return { ...this.checkpoint, content: this.input.content ?? this.checkpoint.content ?? null };
  }

  /** Recorded before the copy is made, so that the worker that ends this job removes it. */
  async recordCopy(): Promise<void> {
    this.hasCopy = true;
    await this.context.saveCheckpoint({ copied: true, ...this.transfer.best });
  }

  /** Removes the copy that this job made, if it made one. */
  async removeCopy(): Promise<void> {
    const { filename, object } = this.input;
    if (!this.hasCopy) return;
    await this.cleanUp(async (folder) => {
      // Another file may have got this name before the copy could be made.
      if ((await folder.stat(filename, true))?.sha256 === object?.sha256) await folder.remove(filename);
    });
  }

  /** Whether another attempt will continue from what was transferred. */
  willResume(error: unknown): boolean {
    return this.context.leaseSignal.aborted || (error instanceof RetryLater && !this.context.signal.aborted);
  }

  /** Saves how far the transfer came. Without it the next worker looks at the transferred bytes themselves. */
  async saveProgress(more: Record<string, unknown> = {}): Promise<void> {
    const copied = this.hasCopy && { copied: true };
    await this.context.saveCheckpoint({ ...more, ...copied, ...this.transfer.best }).catch(() => undefined);
  }

  /** A clean-up that fails is repeated by the next job that writes to this folder. */
  async cleanUp(work: (folder: BackupFolder) => Promise<unknown>): Promise<void> {
    const signal = AbortSignal.any([this.context.leaseSignal, AbortSignal.timeout(cleanUpMs)]);
    await work(this.folder.withSignal(signal)).catch(() => undefined);
  }

  /** `done` and `total` are bytes. */
  report(step: string, done: number | null, total: number | null, ...lines: string[]): void {
    this.context.report({ step, done, total }, ...lines);
  }
}
