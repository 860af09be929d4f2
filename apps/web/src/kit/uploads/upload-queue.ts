import { AppError } from '@vigie/contracts/errors';
import { randomHex } from '../../ui/hex';
import { createSignal } from '../../ui/signal';
import { toast } from '../../ui/toasts';
import { type ApiError, serverMessage } from '../query/api-error';
import type { Call } from '../query/baseQuery';
import { sendFile } from '../query/files';
import { session } from '../query/session';
import { reportFailure } from '../query/failures';

type Phase = 'waiting' | 'sending' | 'checking' | 'done' | 'failed' | 'exists';

type UploadState = {
  key: string;
  file: File;
  phase: Phase;
  /** Between 0 and 1. */
  progress: number;
  message: string | undefined;
};
export type QueuedUpload<Extra = object> = UploadState & Extra;

type UpdateExtra<Extra> = (extra: Partial<Extra>) => void;

type UploadKind<Extra> = {
  /** Checks the file before it is sent. */
  validate: (file: File) => string | undefined;
  prepare?: (item: QueuedUpload<Extra>, update: UpdateExtra<Extra>) => Promise<void>;
  buildCall: (item: QueuedUpload<Extra>) => Call;
  /** Called once the whole file was sent: the server may have stored it even if its response is lost. */
  onSent: (item: QueuedUpload<Extra>) => void;
  onDone?: (answer: unknown, update: UpdateExtra<Extra>) => void;
  /** The error code of a file that the server already has. */
  existsCode: string;
  failureMessage: string;
};

/** Keeps the keys of two windows different. */
const windowId = randomHex(8);
let lastKey = 0;
const nextKey = () => {
  lastKey += 1;
  return `${windowId}-${lastKey}`;
};

const maxConcurrent = 2;

export const isFinished = ({ phase }: Pick<QueuedUpload, 'phase'>): boolean =>
  ['done', 'failed', 'exists'].includes(phase);

/** Uploads of one kind of file. They go on while their sender visits other screens of this window. */
export class UploadQueue<Extra extends object> {
  readonly list = createSignal<readonly QueuedUpload<Extra>[]>([]);
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly kind: UploadKind<Extra>) {
    let { token } = session.get();
    // Another session must not see the uploads of this one.
    session.subscribe(() => {
      const previous = token;
      token = session.get().token;
      if (previous === token) return;
      for (const controller of this.running.values()) controller.abort();
      this.list.set([]);
    });
    // Closing the window would abort the running uploads.
    window.addEventListener('beforeunload', (event) => {
      if (this.running.size > 0) event.preventDefault();
    });
  }

  add(files: readonly File[], extra: Extra): void {
    const added = files.map((file): QueuedUpload<Extra> => {
      const message = this.kind.validate(file);
      const phase = message === undefined ? 'waiting' : 'failed';
      return { ...extra, key: nextKey(), file, phase, progress: 0, message };
    });
    const rejected = added.find(({ message }) => message !== undefined);
    if (rejected) toast.error(`${rejected.file.name}\u00a0: ${rejected.message}`);
    this.list.set([...this.list.get(), ...added]);
    this.runNext();
  }

  /** Removes an upload from the list, and aborts it if it is running. */
  dismiss(key: string): void {
    this.running.get(key)?.abort();
    this.list.set(this.list.get().filter((item) => item.key !== key));
  }

  canRetry({ phase, file }: QueuedUpload<Extra>): boolean {
    return phase === 'failed' && this.kind.validate(file) === undefined;
  }

  retry(key: string, extra: Partial<Extra> = {}): void {
    this.change(key, { phase: 'waiting', progress: 0, message: undefined }, extra);
    this.runNext();
  }

  private change(key: string, changes: Partial<UploadState>, extra: Partial<Extra> = {}): void {
    this.list.set(this.list.get().map((item) => (item.key === key ? { ...item, ...changes, ...extra } : item)));
  }

  private runNext(): void {
    const next = this.list.get().find(({ phase }) => phase === 'waiting');
    if (!next || this.running.size >= maxConcurrent) return;
    void this.run(next);
    this.runNext();
  }

  private async run(item: QueuedUpload<Extra>): Promise<void> {
    const controller = new AbortController();
    this.running.set(item.key, controller);
    this.change(item.key, { phase: 'sending' });
    try {
      await this.kind.prepare?.(item, (extra) => this.change(item.key, {}, extra));
      if (!controller.signal.aborted) await this.send(item, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) {
        const fallback = error instanceof AppError ? error.message : this.kind.failureMessage;
        this.change(item.key, { phase: 'failed', message: reportFailure(error, fallback) });
      }
    } finally {
      this.running.delete(item.key);
      this.runNext();
    }
  }

  private async send(item: QueuedUpload<Extra>, signal: AbortSignal): Promise<void> {
    const { key, file } = item;
    let isSent = false;
    const onProgress = (sent: number, total: number) => {
      isSent = sent >= total;
      this.change(key, { progress: sent / total, phase: isSent ? 'checking' : 'sending' });
    };
    const answer = await sendFile(this.kind.buildCall(item), file, { onProgress, signal });
    if (isSent || 'data' in answer) this.kind.onSent(item);
    if (signal.aborted) return;
    if ('error' in answer) return this.recordFailure(item, answer.error);
    this.change(key, { phase: 'done', progress: 1 });
    this.kind.onDone?.(answer.data, (extra) => this.change(key, {}, extra));
    toast.success(`${file.name} téléversé.`);
  }

  private recordFailure({ key, file }: UploadState, error: ApiError): void {
    const alreadyExists = typeof error.detail === 'object' && error.detail.code === this.kind.existsCode;
    if (alreadyExists) {
      toast.warning(`${file.name} est déjà présent.`);
      return this.change(key, { phase: 'exists', message: serverMessage(error) });
    }
    this.change(key, { phase: 'failed', message: reportFailure(error, this.kind.failureMessage) });
  }
}
