import { expect, it } from 'vitest';
import type { BackupInput } from '@vigie/contracts/backups';
import type { SshAccess } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import { CredentialUnopened } from '../credentials/credential';
import type { Running } from '../jobs/job-handler';
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

/** By a second worker, whose connection ends so. */
function goOn(failure: Error): Promise<unknown> {
  const { signal } = new AbortController();
  const refuse = () => Promise.reject(failure);
  const jobs = backupsJobs({ use: refuse, open: refuse }, { openStore: refuse, ruleFor: () => () => true });
  const memo = { path: '/srv', php: '/usr/bin/php' };
  const job = { id, fence: 2, kind: 'backups.create', input, heard: 0, was_started: true, is_cancelling: false, memo };
  const running: Running = {
    job: { ...job, access: { row: { table: 'sites', id } } as SshAccess },
    signal,
    gone: signal,
    tell: () => undefined,
    hear: (_, telling) => telling(),
    remember: () => Promise.resolve(),
  };
  return jobs['backups.create'](running);
}

it('says nothing of an operation that goes on, where the login to its host no longer opens', async () => {
  const failure = new CredentialUnopened(new Error('another key'));
  await expect(goOn(failure)).rejects.toBe(failure);
});

it('fails by whatever else refuses it, in its words', async () => {
  const failure = new AppError('too_large', 'Le fichier est plus gros que prévu.');
  const error = { code: 'too_large', message: 'Le fichier est plus gros que prévu.' };
  expect(await goOn(failure)).toEqual({ state: 'failed', error });
});
