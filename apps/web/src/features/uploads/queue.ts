import { AppError } from '@vigie/contracts/errors';
import { mostUploadBytes, Upload, type UploadType } from '@vigie/contracts/uploads';
import { type ApiError, sentenceOf } from '../../app/api-error';
import { sendFile } from '../../app/sendFile';
import { session } from '../../app/session';
import { store } from '../../app/store';
import { tellFailure } from '../../app/tellFailure';
import { createSignal } from '../../ui/signal';
import { toast } from '../../ui/toasts';
import { pathOf, uploadsApi } from './uploads.api';
import { failed } from './words';

type Phase = 'waiting' | 'sending' | 'checking' | 'done' | 'failed' | 'exists';

export type Sending = {
  key: string;
  file: File;
  type: UploadType;
  phase: Phase;
  /** Between 0 and 1. */
  share: number;
  /** Null: the archive names none. Undefined: not known. */
  version: string | null | undefined;
  sentence: string | undefined;
  replaces: boolean;
};

const mostAtOnce = 2;
const notZip = 'Seules les archives .zip sont acceptées\u00a0: choisissez un fichier .zip.';
const tooLarge = 'Une archive compte au plus 512\u00a0Mo\u00a0: retirez-en ce qui ne sert pas au site.';

/** What was chosen, on whatever screen its sender is meanwhile. */
export const queue = createSignal<readonly Sending[]>([]);
const running = new Map<string, AbortController>();
let lastKey = 0;
/** Keys of two windows differ. */
const thisWindow = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join('');

const change = (key: string, changes: Partial<Sending>) =>
  queue.set(queue.get().map((item) => (item.key === key ? { ...item, ...changes } : item)));

export const isOver = ({ phase }: Sending): boolean => ['done', 'failed', 'exists'].includes(phase);

export function addFiles(files: readonly File[], type: UploadType): void {
  const added = files.map((file): Sending => {
    lastKey += 1;
    const sentence = /.\.zip$/i.test(file.name) ? (file.size > mostUploadBytes ? tooLarge : undefined) : notZip;
    const phase = sentence === undefined ? 'waiting' : 'failed';
    return {
      key: `${thisWindow}-${lastKey}`,
      file,
      type,
      phase,
      share: 0,
      version: undefined,
      sentence,
      replaces: false,
    };
  });
  const refused = added.find(({ sentence }) => sentence !== undefined);
  if (refused) toast.error(`${refused.file.name}\u00a0: ${refused.sentence}`);
  queue.set([...queue.get(), ...added]);
  runNext();
}

/** Out of the list, and out of what is on its way. */
export function dismiss(key: string): void {
  running.get(key)?.abort();
  queue.set(queue.get().filter((item) => item.key !== key));
}

export const dismissOver = (): void => queue.set(queue.get().filter((item) => !isOver(item)));

export function retry(key: string, replaces = false): void {
  change(key, { phase: 'waiting', share: 0, sentence: undefined, replaces });
  runNext();
}

function runNext(): void {
  const next = queue.get().find(({ phase }) => phase === 'waiting');
  if (!next || running.size >= mostAtOnce) return;
  void run(next);
  runNext();
}

async function run(item: Sending): Promise<void> {
  const aborting = new AbortController();
  running.set(item.key, aborting);
  change(item.key, { phase: 'sending' });
  try {
    await lookInside(item);
    if (!aborting.signal.aborted) await send(item, aborting.signal);
  } catch (error) {
    if (!aborting.signal.aborted) {
      change(item.key, {
        phase: 'failed',
        sentence: tellFailure(error, error instanceof AppError ? error.message : failed),
      });
    }
  } finally {
    running.delete(item.key);
    runNext();
  }
}

/** Nobody waits for half a gigabyte to hear that it was no archive. */
async function lookInside({ key, file, type }: Sending): Promise<void> {
  const { readHint } = await import('./hint');
  const hint = await readHint(file, type);
  if (hint) change(key, { version: hint.version });
}

async function send({ key, file, type, replaces }: Sending, signal: AbortSignal): Promise<void> {
  let hasLeft = false;
  const onProgress = (sent: number, total: number) => {
    hasLeft = sent >= total;
    change(key, { share: sent / total, phase: hasLeft ? 'checking' : 'sending' });
  };
  const path = `${pathOf(type)}${replaces ? '?replace=1' : ''}` as const;
  const idempotencyKey = replaces ? `${key}-r` : key;
  const answer = await sendFile({ path, method: 'POST', output: Upload, idempotencyKey }, file, { onProgress, signal });
  // What has left whole may be kept, whatever became of the answer.
  if (hasLeft || 'data' in answer) store.dispatch(uploadsApi.util.invalidateTags(['uploads']));
  if (signal.aborted) return;
  if ('error' in answer) return noteFailure(key, file, answer.error);
  const { version } = Upload.parse(answer.data);
  change(key, { phase: 'done', share: 1, version });
  toast.success(`${file.name} téléversé.`);
}

function noteFailure(key: string, file: File, error: ApiError): void {
  const isThere = typeof error.detail === 'object' && error.detail.code === 'upload_exists';
  if (isThere) {
    toast.warning(`${file.name} est déjà présent.`);
    return change(key, { phase: 'exists', sentence: sentenceOf(error) });
  }
  change(key, { phase: 'failed', sentence: tellFailure(error, failed) });
}

let { token } = session.get();

/** What somebody sends is nobody else's. */
session.subscribe(() => {
  const previous = token;
  token = session.get().token;
  if (previous === token) return;
  for (const aborting of running.values()) aborting.abort();
  queue.set([]);
});

/** Whoever closes the window ends what is on its way. */
window.addEventListener('beforeunload', (event) => {
  if (running.size > 0) event.preventDefault();
});
