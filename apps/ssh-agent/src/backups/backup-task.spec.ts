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
const place = { path: '/srv', php: '/usr/bin/php', tries: 1 };

type Checkpoint = Record<string, unknown>;
type Claim = { memo: Checkpoint | null; fence: number; input?: BackupInput; store?: FileStore; kept?: Checkpoint[] };

/** On a host that refuses whatever is asked of it for this reason. */
function taskOn(reason: Reason, { memo: checkpoint, fence, store, kept = [], ...claim }: Claim): BackupTask {
  const { signal } = new AbortController();
  const use = () => Promise.reject(new SshFailure(reason));
  const job = { id: site.id, fence, kind: 'backups.restore', input: claim.input ?? input, heard: 0 };
  const context: JobContext = {
    job: { ...job, access: {} as SshAccess, was_started: checkpoint !== null, is_cancelling: false, memo: checkpoint },
    signal,
    leaseSignal: signal,
    report: () => undefined,
    reportAt: (_, telling) => telling(),
    saveCheckpoint: async (memory) => void kept.push(memory),
  };
  const openStore = () => (store ? Promise.resolve(store) : Promise.reject(new Error('no store')));
  return new BackupTask(context, {
    openStore,
    ruleFor: () => () => true,
    operations: new Operations({ use, open: use }),
  });
}

/** What comes of a look, by whichever worker. */
const lookFails = (reason: Reason, checkpoint: Checkpoint | null, fence = 1): Promise<unknown> =>
  taskOn(reason, { memo: checkpoint, fence })
    .folder.stat('site.wpress')
    .catch((error: unknown) => error);

const locked: Reason = { kind: 'locked', path: '/srv' };
const refused: Reason = { kind: 'authentication', method: 'key', offered: [], isPartial: false, said: '' };

it('tries again, and gives up, what has not begun', async () => {
  expect(await lookFails(locked, null)).toMatchObject({ name: 'Later', mayHaveStarted: false });
  expect(await lookFails(locked, null, 9)).toBeInstanceOf(SshFailure);
  expect(await lookFails(refused, null)).toBeInstanceOf(SshFailure);
});

it('never gives up what may have begun, nor says that it failed', async () => {
  expect(await lookFails(locked, place, 9)).toMatchObject({ name: 'Later', mayHaveStarted: true });
  expect(await lookFails(refused, place)).toBeInstanceOf(OutcomeUnknown);
});

it('may give up a copy, of which nothing is on the host', async () => {
  const copied = { size: 1, mtime: 1 };
  expect(await lookFails(locked, copied)).toBeInstanceOf(RetryLater);
  expect(await lookFails(refused, copied)).toBeInstanceOf(SshFailure);
});

/** What comes of a copy that is half there, and what is there then. */
async function copyFails(checkpoint: Checkpoint, fence: number) {
  const root = await mkdtemp(join(tmpdir(), 'vigie-copy-'));
  try {
    const store = await DiskStore.open(pathToFileURL(root).href);
    const key = FileStore.newKey();
    const half = await store.resume(key);
    await half.add(Buffer.alloc(500));
    await half.leave();
    const kept: Checkpoint[] = [];
    const copy = { ...input, object: { key, size: null, sha256: null } };
    const task = taskOn(locked, { memo: { size: 1_000, mtime: 1, ...checkpoint }, fence, input: copy, store, kept });
    const error = await download(task).catch((failure: unknown) => failure);
    return { error, kept, isThere: (await readdir(join(root, 'incoming'))).includes(key) };
  } finally {
    await rm(root, { recursive: true });
  }
}

it('never gives up a copy that came further by then, however often it was taken up', async () => {
  const grown = await copyFails({}, 21);
  expect(grown).toMatchObject({ error: { name: 'Later' }, isThere: true });
  expect(grown.kept).toEqual([{ size: 1_000, mtime: 1, had: 500, since: 21 }]);
  expect(await copyFails({ had: 500, since: 21 }, 27)).toMatchObject({ error: { name: 'Later' }, isThere: true });
});

it('gives up a copy that comes no further, time after time', async () => {
  const stuck = await copyFails({ had: 500, since: 21 }, 29);
  expect(stuck).toMatchObject({ error: { kind: 'locked' }, isThere: false, kept: [] });
});
