import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import type { BackupInput } from '@vigie/contracts/backups';
import type { SshAccess } from '@vigie/contracts/credentials';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import { type Reason, SshFailure } from '@vigie/ssh/failure';
import { RetryLater, type JobContext, OutcomeUnknown } from '../jobs/job-handler';
import { Operations } from '../operations/operations';
import { BackupTask } from './backup-task';
import { download } from './download';

const site = {
  id: '018f0000-0000-7000-8000-000000000001',
  version: 1,
  path: '/srv',
  url: 'https://exemple.fr',
  php: null,
};
const input: BackupInput = {
  site,
  content: null,
  filename: 'site.wpress',
  exclude_cache: true,
  location: 'remote',
  object: null,
};
const location = { path: '/srv', php: '/usr/bin/php', tries: 1 };

type Checkpoint = Record<string, unknown>;
type Claim = { memo: Checkpoint | null; fence: number; input?: BackupInput; store?: FileStore; saved?: Checkpoint[] };

/** A task on a host that refuses every connection for this reason. */
function taskOn(reason: Reason, { memo: checkpoint, fence, store, saved = [], ...claim }: Claim): BackupTask {
  const { signal } = new AbortController();
  const use = () => Promise.reject(new SshFailure(reason));
  const job = { id: site.id, fence, kind: 'backups.restore', input: claim.input ?? input, heard: 0 };
  const context: JobContext = {
    job: { ...job, access: {} as SshAccess, was_started: checkpoint !== null, is_cancelling: false, memo: checkpoint },
    signal,
    leaseSignal: signal,
    report: () => undefined,
    reportAt: (_, send) => send(),
    saveCheckpoint: async (next) => void saved.push(next),
  };
  const openStore = () => (store ? Promise.resolve(store) : Promise.reject(new Error('no store')));
  return new BackupTask(context, {
    openStore,
    ruleFor: () => () => true,
    operations: new Operations({ use, open: use }),
  });
}

/** The error of reading the archive, for a worker with this checkpoint and fence. */
const statFails = (reason: Reason, checkpoint: Checkpoint | null, fence = 1): Promise<unknown> =>
  taskOn(reason, { memo: checkpoint, fence })
    .folder.stat('site.wpress')
    .catch((error: unknown) => error);

const locked: Reason = { kind: 'locked', path: '/srv' };
const refused: Reason = { kind: 'authentication', method: 'key', offered: [], isPartial: false, detail: '' };

it('retries work that has not started, and then gives up', async () => {
  expect(await statFails(locked, null)).toMatchObject({ name: 'RetryLater', mayHaveStarted: false });
  expect(await statFails(locked, null, 9)).toBeInstanceOf(SshFailure);
  expect(await statFails(refused, null)).toBeInstanceOf(SshFailure);
});

it('never gives up an operation that may have started, nor says that it failed', async () => {
  expect(await statFails(locked, location, 9)).toMatchObject({ name: 'RetryLater', mayHaveStarted: true });
  expect(await statFails(refused, location)).toBeInstanceOf(OutcomeUnknown);
});

it('may give up a copy, which leaves nothing on the host', async () => {
  const copied = { size: 1, mtime: 1 };
  expect(await statFails(locked, copied)).toBeInstanceOf(RetryLater);
  expect(await statFails(refused, copied)).toBeInstanceOf(SshFailure);
});

/** The error of a copy that is half done, and what is left of it afterwards. */
async function copyFails(checkpoint: Checkpoint, fence: number) {
  const root = await mkdtemp(join(tmpdir(), 'vigie-copy-'));
  try {
    const store = await DiskStore.open(pathToFileURL(root).href);
    const key = FileStore.newKey();
    const half = await store.resume(key);
    await half.add(Buffer.alloc(500));
    await half.suspend();
    const saved: Checkpoint[] = [];
    const copy = { ...input, object: { key, size: null, sha256: null } };
    const task = taskOn(locked, { memo: { size: 1_000, mtime: 1, ...checkpoint }, fence, input: copy, store, saved });
    const error = await download(task).catch((failure: unknown) => failure);
    return { error, saved, isThere: (await readdir(join(root, 'incoming'))).includes(key) };
  } finally {
    await rm(root, { recursive: true });
  }
}

it('never gives up a copy that advances, however many attempts it takes', async () => {
  const grown = await copyFails({}, 21);
  expect(grown).toMatchObject({ error: { name: 'RetryLater' }, isThere: true });
  expect(grown.saved).toEqual([{ size: 1_000, mtime: 1, had: 500, since: 21 }]);
  expect(await copyFails({ had: 500, since: 21 }, 27)).toMatchObject({ error: { name: 'RetryLater' }, isThere: true });
});

it('gives up a copy that does not advance for several attempts', async () => {
  const stuck = await copyFails({ had: 500, since: 21 }, 29);
  expect(stuck).toMatchObject({ error: { kind: 'locked' }, isThere: false, saved: [] });
});
