import { BackupInput } from '@vigie/contracts/backups';
import type { BackupPlace } from '@vigie/wordpress/backups';
import { z } from 'zod';
import { RetryLater, type JobContext } from '../jobs/job-handler';
import type { JobDependencies } from '../jobs/job-dependencies';
import type { Operations } from '../operations/operations';
import { TransferProgress } from './transfer-progress';
import { runOnHostWith, BackupFolder } from './backup-folder';

export type BackupDependencies = Pick<JobDependencies, 'openStore' | 'ruleFor'>;
/** Whether the archive on the host is a copy that this job made for itself. */
const CopyCheckpoint = z.object({ copied: z.boolean().default(false) });
/** Kept before it begins: whoever goes on with it, or ends it, does so where it began. */
const TaskCheckpoint = z.object({
  path: z.string(),
  php: z.string(),
  /** As the host told it, where nobody knew. */
  content: z.string().nullish(),
  /** How often somebody began to take it back. */
  tries: z.int().default(0),
  ...CopyCheckpoint.shape,
});
type TaskCheckpoint = z.infer<typeof TaskCheckpoint>;

type TaskDependencies = BackupDependencies & { operations: Operations };

/** For what nobody waits for any more. */
const cleanUpMs = 20_000;

/** One job on one archive, by whichever worker has it. */
export class BackupTask {
  readonly input: BackupInput;
  readonly folder: BackupFolder;
  readonly openStore: BackupDependencies['openStore'];
  readonly ruleFor: BackupDependencies['ruleFor'];
  readonly operations: Operations;
  /** Of what is moved by it, where that is kept from one claim to the next. */
  readonly transfer: TransferProgress;
  /** By a worker before this one. */
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

  /** Where its site lies, and what is known of it by whoever had it before. */
  async locateSite(): Promise<BackupPlace & TaskCheckpoint> {
    if (!this.checkpoint) {
      const place = await this.folder.locate();
      this.checkpoint = { ...place, tries: 0, copied: this.hasCopy };
      await this.context.saveCheckpoint(this.checkpoint);
    }
    return { ...this.checkpoint, content: this.input.content ?? this.checkpoint.content ?? null };
  }

  /** Known before the copy is made, so that whoever ends this job takes it away. */
  async recordCopy(): Promise<void> {
    this.hasCopy = true;
    await this.context.saveCheckpoint({ copied: true, ...this.transfer.best });
  }

  /** Nothing but the copy that this job made, if it made one. */
  async removeCopy(): Promise<void> {
    const { filename, object } = this.input;
    if (!this.hasCopy) return;
    await this.cleanUp(async (folder) => {
      // Somebody may have put another file there before the copy could be made.
      if ((await folder.stat(filename, true))?.sha256 === object?.sha256) await folder.remove(filename);
    });
  }

  /** Whether another worker goes on from what is there. */
  willResume(error: unknown): boolean {
    return this.context.leaseSignal.aborted || (error instanceof RetryLater && !this.context.signal.aborted);
  }

  /** For whoever goes on with it; where it cannot be kept, what is there says as much. */
  async saveProgress(more: Record<string, unknown> = {}): Promise<void> {
    const copied = this.hasCopy && { copied: true };
    await this.context.saveCheckpoint({ ...more, ...copied, ...this.transfer.best }).catch(() => undefined);
  }

  /** Where it fails, whoever writes there next takes it away. */
  async cleanUp(work: (folder: BackupFolder) => Promise<unknown>): Promise<void> {
    const signal = AbortSignal.any([this.context.leaseSignal, AbortSignal.timeout(cleanUpMs)]);
    await work(this.folder.withSignal(signal)).catch(() => undefined);
  }

  /** In bytes. */
  report(step: string, done: number | null, total: number | null, ...lines: string[]): void {
    this.context.report({ step, done, total }, ...lines);
  }
}
