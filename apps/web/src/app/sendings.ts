import { AppError } from '@vigie/contracts/errors';
import { randomHex } from '../ui/hex';
import { createSignal } from '../ui/signal';
import { toast } from '../ui/toasts';
import { type ApiError, sentenceOf } from './api-error';
import type { Call } from './baseQuery';
import { sendFile } from './sendFile';
import { session } from './session';
import { tellFailure } from './tellFailure';

type Phase = 'waiting' | 'sending' | 'checking' | 'done' | 'failed' | 'exists';

type OnItsWay = {
  key: string;
  file: File;
  phase: Phase;
  /** Between 0 and 1. */
  share: number;
  sentence: string | undefined;
};
export type Sending<More = object> = OnItsWay & More;

type Learn<More> = (more: Partial<More>) => void;

type Kind<More> = {
  /** Checks the file before it is sent. */
  refusalOf: (file: File) => string | undefined;
  prepare?: (item: Sending<More>, learn: Learn<More>) => Promise<void>;
  callOf: (item: Sending<More>) => Omit<Call, 'method'>;
  /** Called once the whole file was sent: the server may have stored it even if its response is lost. */
  onLeft: (item: Sending<More>) => void;
  onDone?: (answer: unknown, learn: Learn<More>) => void;
  /** The error code of a file that the server already has. */
  existsCode: string;
  failed: string;
};

/** Keeps the keys of two windows different. */
const thisWindow = randomHex(8);
let lastKey = 0;
const nextKey = () => {
  lastKey += 1;
  return `${thisWindow}-${lastKey}`;
};

const maxAtOnce = 2;

export const isOver = ({ phase }: Pick<Sending, 'phase'>): boolean => ['done', 'failed', 'exists'].includes(phase);

/** Uploads of one kind of file. They go on while their sender visits other screens of this window. */
export class Sendings<More extends object> {
  readonly list = createSignal<readonly Sending<More>[]>([]);
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly kind: Kind<More>) {
    let { token } = session.get();
    // Another session must not see the uploads of this one.
    session.subscribe(() => {
      const previous = token;
      token = session.get().token;
      if (previous === token) return;
      for (const aborting of this.running.values()) aborting.abort();
      this.list.set([]);
    });
    // Closing the window would abort the running uploads.
    window.addEventListener('beforeunload', (event) => {
      if (this.running.size > 0) event.preventDefault();
    });
  }

  add(files: readonly File[], more: More): void {
    const added = files.map((file): Sending<More> => {
      const sentence = this.kind.refusalOf(file);
      const phase = sentence === undefined ? 'waiting' : 'failed';
      return { ...more, key: nextKey(), file, phase, share: 0, sentence };
    });
    const refused = added.find(({ sentence }) => sentence !== undefined);
    if (refused) toast.error(`${refused.file.name}\u00a0: ${refused.sentence}`);
    this.list.set([...this.list.get(), ...added]);
    this.runNext();
  }

  /** Removes an upload from the list, and aborts it if it is running. */
  dismiss(key: string): void {
    this.running.get(key)?.abort();
    this.list.set(this.list.get().filter((item) => item.key !== key));
  }

  canRetry({ phase, file }: Sending<More>): boolean {
    return phase === 'failed' && this.kind.refusalOf(file) === undefined;
  }

  retry(key: string, more: Partial<More> = {}): void {
    this.change(key, { phase: 'waiting', share: 0, sentence: undefined }, more);
    this.runNext();
  }

  private change(key: string, changes: Partial<OnItsWay>, more: Partial<More> = {}): void {
    this.list.set(this.list.get().map((item) => (item.key === key ? { ...item, ...changes, ...more } : item)));
  }

  private runNext(): void {
    const next = this.list.get().find(({ phase }) => phase === 'waiting');
    if (!next || this.running.size >= maxAtOnce) return;
    void this.run(next);
    this.runNext();
  }

  private async run(item: Sending<More>): Promise<void> {
    const aborting = new AbortController();
    this.running.set(item.key, aborting);
    this.change(item.key, { phase: 'sending' });
    try {
      await this.kind.prepare?.(item, (more) => this.change(item.key, {}, more));
      if (!aborting.signal.aborted) await this.send(item, aborting.signal);
    } catch (error) {
      if (!aborting.signal.aborted) {
        const fallback = error instanceof AppError ? error.message : this.kind.failed;
        this.change(item.key, { phase: 'failed', sentence: tellFailure(error, fallback) });
      }
    } finally {
      this.running.delete(item.key);
      this.runNext();
    }
  }

  private async send(item: Sending<More>, signal: AbortSignal): Promise<void> {
    const { key, file } = item;
    let hasLeft = false;
    const onProgress = (sent: number, total: number) => {
      hasLeft = sent >= total;
      this.change(key, { share: sent / total, phase: hasLeft ? 'checking' : 'sending' });
    };
    const answer = await sendFile({ ...this.kind.callOf(item), method: 'POST' }, file, { onProgress, signal });
    if (hasLeft || 'data' in answer) this.kind.onLeft(item);
    if (signal.aborted) return;
    if ('error' in answer) return this.noteFailure(item, answer.error);
    this.change(key, { phase: 'done', share: 1 });
    this.kind.onDone?.(answer.data, (more) => this.change(key, {}, more));
    toast.success(`${file.name} téléversé.`);
  }

  private noteFailure({ key, file }: OnItsWay, error: ApiError): void {
    const isThere = typeof error.detail === 'object' && error.detail.code === this.kind.existsCode;
    if (isThere) {
      toast.warning(`${file.name} est déjà présent.`);
      return this.change(key, { phase: 'exists', sentence: sentenceOf(error) });
    }
    this.change(key, { phase: 'failed', sentence: tellFailure(error, this.kind.failed) });
  }
}
