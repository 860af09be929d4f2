import { expect, it } from 'vitest';
import { CredentialUnreadable } from '../credentials/credential';
import { SiteFailure } from '@vigie/wordpress/host';
import { OutcomeUnknown } from '../jobs/job-handler';
import type { BackupTask } from './backup-task';
import { create } from './create';
import { BackupFailure } from './backup-failures';

type Host = { statFile?: () => Promise<unknown>; read?: () => Promise<Buffer>; output?: string };

const stat = { size: 9_000, mtime: 1, sha256: null };
const noPhp = new SiteFailure('no_php', 'PHP n’est plus là.', 'Relancez le test.');

/** Resumes an operation that printed `output`, or nothing; the file of its name is read through `statFile` and `read`. */
const resume = ({ statFile = () => Promise.resolve(stat), read, output }: Host) => {
  const folder = { stat: statFile, read, withSignal: () => folder };
  const { signal } = new AbortController();
  return create({
    input: { site: { path: '/srv', url: 'https://exemple.fr' }, filename: 'site.wpress', exclude_cache: true },
    context: {
      job: { id: '018f0000-0000-7000-8000-000000000001', memo: {} },
      signal,
      leaseSignal: signal,
      report: () => undefined,
    },
    operations: {
      run: async (_running: unknown, { onLine }: { onLine: (line: string) => void }) => {
        const word = '0'.repeat(32);
        if (output !== undefined) [`vigie 1 ${word}`, `${word} ${output}`].forEach(onLine);
        return { outcome: output === undefined ? 'unknown' : 'succeeded', wasStopped: false };
      },
    },
    folder,
    report: () => undefined,
    locateSite: () => Promise.resolve({ path: '/srv', content: null, php: '/usr/bin/php' }),
    cleanUp: () => Promise.resolve(),
  } as unknown as BackupTask);
};

it('does not say that nothing is left when the login to its host no longer opens', async () => {
  const failure = new CredentialUnreadable(new Error('another key'));
  await expect(resume({ read: () => Promise.reject(failure) })).rejects.toBe(failure);
});

it('is interrupted when the file is no archive', async () => {
  await expect(resume({ read: () => Promise.resolve(Buffer.alloc(9_000)) })).rejects.toBeInstanceOf(BackupFailure);
});

it('has an unknown outcome when the file cannot be read', async () => {
  await expect(resume({ statFile: () => Promise.reject(noPhp) })).rejects.toBeInstanceOf(OutcomeUnknown);
});

it('is made although its host cannot be read afterwards', async () => {
  const counts = { size: 9_000, entries: 3, tables: 1, rows: 2, longest: 1, missed: 0, memory: 1 };
  const output = JSON.stringify({ is: 'done', name: 'site.wpress', folder: '/srv', ...counts, examples: [] });
  const outcome = await resume({ statFile: () => Promise.reject(noPhp), output });
  expect(outcome).toMatchObject({ state: 'succeeded', result: { size: 9_000, storage: 'wp-content/ai1wm-backups' } });
});
