import { expect, it } from 'vitest';
import { canRetry, countRetries, needsConfirmation, needsTypedWord, retryLabel, describeRetry } from './retry';

const none = { total: 9, queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0, unknown: 0, rolled_back: 0 };
const batch = (some: Partial<typeof none>) => ({
  kind: 'changes.update',
  state: 'failed' as const,
  counts: { ...none, ...some },
});
const one = (kind: string) => ({ kind, state: 'failed' as const, counts: null });

it.each([
  [batch({ failed: 2, unknown: 1, cancelled: 150 }), 3, 'Relancer les échecs'],
  [batch({ cancelled: 150 }), 150, 'Relancer les annulées'],
  [one('servers.test'), 1, 'Relancer'],
])('retries the failed jobs of a batch, and the cancelled ones only when none failed', (job, count, word) => {
  expect([countRetries(job), retryLabel(job)]).toEqual([count, word]);
});

it('cannot retry a job that runs, succeeded or was redone by another job', () => {
  const jobs = [
    { state: 'failed', redone_by: null, counts: null },
    { state: 'running', redone_by: null, counts: null },
    { state: 'succeeded', redone_by: null, counts: null },
    { state: 'failed', redone_by: '0192f0c1-7e57-7000-8000-000000000001', counts: null },
  ] as const;
  expect(jobs.map((job) => canRetry({ ...job, may_act: true }))).toEqual([true, false, false, false]);
});

it('cannot retry what the user may not do', () => {
  expect(canRetry({ state: 'failed', redone_by: null, counts: null, may_act: false })).toBe(false);
});

it('cannot retry a batch whose failed jobs belong to somebody else', () => {
  const batches = [batch({ failed: 1 }), batch({ succeeded: 9 })];
  expect(batches.map((job) => canRetry({ ...job, redone_by: null, may_act: true }))).toEqual([true, false]);
});

it('asks before a restore, and before more than one job is retried', () => {
  expect([one('backups.restore'), one('backups.create')].map(needsTypedWord)).toEqual([true, false]);
  const jobs = [
    one('backups.restore'),
    batch({ failed: 2 }),
    batch({ cancelled: 2 }),
    batch({ failed: 1, cancelled: 9 }),
  ];
  expect(jobs.map(needsConfirmation)).toEqual([true, true, true, false]);
});

it('says which jobs of a batch are retried, and which are not', () => {
  expect(describeRetry(batch({ failed: 2, cancelled: 150 }).counts).slice(0, 2)).toEqual([
    '2\u00a0tâches qui n’ont pas réussi sont relancées.',
    '150\u00a0tâches annulées ne le sont pas.',
  ]);
  expect(describeRetry(batch({ cancelled: 2 }).counts)[0]).toBe('2\u00a0tâches annulées sont relancées.');
});
