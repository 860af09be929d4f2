import { expect, it } from 'vitest';
import { CredentialUnreadable } from '../credentials/credential';
import { SiteFailure } from '@vigie/wordpress/host';
import { OutcomeUnknown } from '../jobs/job-handler';
import type { BackupTask } from './backup-task';
import { create } from './create';
import { BackupFailure } from './backup-failures';

type Host = { facts?: () => Promise<unknown>; read?: () => Promise<Buffer>; said?: string };

const seen = { size: 9_000, mtime: 1, sha256: null };
const noPhp = new SiteFailure('no_php', 'PHP n’est plus là.', 'Relancez le test.');

/** An operation of which no more than this is known, and a file by its name that is looked at and read so. */
const goOn = ({ facts = () => Promise.resolve(seen), read, said }: Host) => {
  const folder = { facts, read, until: () => folder };
  const { signal } = new AbortController();
  return create({
    input: { site: { path: '/srv', url: 'https://exemple.fr' }, filename: 'site.wpress', exclude_cache: true },
    context: {
      job: { id: '018f0000-0000-7000-8000-000000000001', memo: {} },
      signal,
      gone: signal,
      report: () => undefined,
    },
    operations: {
      run: async (_running: unknown, { onLine }: { onLine: (line: string) => void }) => {
        const word = '0'.repeat(32);
        if (said !== undefined) [`vigie 1 ${word}`, `${word} ${said}`].forEach(onLine);
        return { outcome: said === undefined ? 'unknown' : 'succeeded', wasStopped: false };
      },
    },
    folder,
    report: () => undefined,
    place: () => Promise.resolve({ path: '/srv', content: null, php: '/usr/bin/php' }),
    clean: () => Promise.resolve(),
  } as unknown as BackupTask);
};

it('does not say that nothing is left of it where the login to its host no longer opens', async () => {
  const failure = new CredentialUnreadable(new Error('another key'));
  await expect(goOn({ read: () => Promise.reject(failure) })).rejects.toBe(failure);
});

it('is interrupted where what stands is no archive', async () => {
  await expect(goOn({ read: () => Promise.resolve(Buffer.alloc(9_000)) })).rejects.toBeInstanceOf(BackupFailure);
});

it('is not established where nobody can look at what stands', async () => {
  await expect(goOn({ facts: () => Promise.reject(noPhp) })).rejects.toBeInstanceOf(OutcomeUnknown);
});

it('is made where nobody can look at it afterwards', async () => {
  const counts = { size: 9_000, entries: 3, tables: 1, rows: 2, longest: 1, missed: 0, memory: 1 };
  const said = JSON.stringify({ is: 'done', name: 'site.wpress', folder: '/srv', ...counts, examples: [] });
  const made = await goOn({ facts: () => Promise.reject(noPhp), said });
  expect(made).toMatchObject({ state: 'succeeded', result: { size: 9_000, storage: 'wp-content/ai1wm-backups' } });
});
