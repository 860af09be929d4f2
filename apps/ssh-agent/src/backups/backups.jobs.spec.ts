import { expect, it } from 'vitest';
import type { BackupInput } from '@vigie/contracts/backups';
import type { SshAccess } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import { CredentialUnreadable } from '../credentials/credential';
import type { JobContext } from '../jobs/job-handler';
import { backupsJobs } from './backups.jobs';

const id = '018f0000-0000-7000-8000-000000000001';
const input: BackupInput = {
  site: { id, version: 1, path: '/srv', url: 'https://exemple.fr', php: null },
  content: null,
  filename: 'site.wpress',
  exclude_cache: true,
  location: 'remote',
  object: null,
};

/** Resumes a backup on a second worker, whose connection fails. */
function resume(failure: Error): Promise<unknown> {
  const { signal } = new AbortController();
  const refuse = () => Promise.reject(failure);
  const jobs = backupsJobs({ use: refuse, open: refuse }, { openStore: refuse, ruleFor: () => () => true });
  const checkpoint = { path: '/srv', php: '/usr/bin/php' };
  const job = {
    id,
    fence: 2,
    kind: 'backups.create',
    input,
    heard: 0,
    was_started: true,
    is_cancelling: false,
    memo: checkpoint,
  };
  const context: JobContext = {
    job: { ...job, access: { row: { table: 'sites', id } } as SshAccess },
    signal,
    leaseSignal: signal,
    report: () => undefined,
    reportAt: (_, send) => send(),
    saveCheckpoint: () => Promise.resolve(),
  };
  return jobs['backups.create'](context);
}

it('does not end an operation that goes on when the login to its host no longer opens', async () => {
  const failure = new CredentialUnreadable(new Error('another key'));
  await expect(resume(failure)).rejects.toBe(failure);
});

it('fails with the sentence of any other refusal', async () => {
  const failure = new AppError('too_large', 'Le fichier est plus gros que prévu.');
  const error = { code: 'too_large', message: 'Le fichier est plus gros que prévu.' };
  expect(await resume(failure)).toEqual({ state: 'failed', error });
});
