import { expect, it } from '@jest/globals';
import { CredentialUnopened } from '../credentials/credential';
import type { BackupTask } from './backup-task';
import { create } from './create';
import { BackupFailure } from './sentences';

/** An operation that was lost, and a file by its name that is read so. */
const goOn = (read: () => Promise<Buffer>) =>
  create({
    input: { site: { path: '/srv', url: 'https://exemple.fr' }, filename: 'site.wpress', exclude_cache: true },
    running: { job: { id: '018f0000-0000-7000-8000-000000000001', memo: {} }, signal: new AbortController().signal },
    operations: { run: () => Promise.resolve({ outcome: 'unknown', wasStopped: false }) },
    folder: { facts: () => Promise.resolve({ size: 9_000, mtime: 1, sha256: null }), read },
    place: () => Promise.resolve({ path: '/srv', content: null, php: '/usr/bin/php' }),
    clean: () => Promise.resolve(),
  } as unknown as BackupTask);

it('does not say that nothing is left of it where the login to its host no longer opens', async () => {
  const failure = new CredentialUnopened(new Error('another key'));
  await expect(goOn(() => Promise.reject(failure))).rejects.toBe(failure);
});

it('is interrupted where what stands is no archive', async () => {
  await expect(goOn(() => Promise.resolve(Buffer.alloc(9_000)))).rejects.toBeInstanceOf(BackupFailure);
});
