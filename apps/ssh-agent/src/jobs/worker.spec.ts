import { afterEach, expect, it } from 'vitest';
import { AppError } from '@vigie/contracts/errors';
import { type ClaimedJob, claimJob, finishJob, releaseJob } from '@vigie/contracts/jobs';
import type { Kit } from '@vigie/service-kit/bootstrap';
import type { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { Metrics } from '@vigie/service-kit/metrics';
import { type JobHandler, Later, NotBegun, Unestablished } from './job-handler';
import { JobWorker } from './worker';

const claimed: ClaimedJob = {
  id: '018f0000-0000-7000-8000-000000000001',
  fence: 1,
  kind: 'trial',
  input: {},
  access: null,
  was_started: false,
  is_cancelling: false,
  heard: 0,
  memo: null,
};
const memo = { path: '/srv/site' };
const queues = { redisUrl: '', operations: 1 };

let worker: JobWorker;
afterEach(() => worker.onApplicationShutdown());

type Telling = typeof releaseJob | typeof finishJob;

/** What the ledger is told of one, by this contract. */
async function told(by: Telling, job: Partial<ClaimedJob>, trial: JobHandler): Promise<object[]> {
  const said: object[] = [];
  const call = async (contract: unknown, input: object) => {
    if (contract === by) said.push(input);
    return contract === claimJob ? { job: { ...claimed, ...job } } : {};
  };
  const bus = { call: call as unknown as Bus['call'] } as Bus;
  worker = new JobWorker({ bus, log: makeLog('test', 'silent'), keys: {} as Kit['keys'] }, queues, { trial });
  await worker.take({ id: claimed.id, attempt: 1 });
  return said;
}

const later = async () => {
  throw new Later(1, 'Le serveur ne répond pas.', false);
};
const laterAfterMemo: JobHandler = async ({ remember }) => {
  await remember(memo);
  return later();
};
const notBegunAfterMemo: JobHandler = async ({ remember }) => {
  await remember(memo);
  throw new NotBegun(1, 'Une autre opération est en cours.');
};

it.each([
  ['where nothing of it was begun', true, {}, later],
  ['not where a worker before it began it', false, { was_started: true }, later],
  ['not where one before it left a memo', false, { was_started: true, memo }, later],
  ['not where this one left a memo', false, {}, laterAfterMemo],
  ['where what the memo was for is known not to be begun', true, {}, notBegunAfterMemo],
  ['not where a memo was there before that', false, { was_started: true, memo }, notBegunAfterMemo],
] as const)('gives a job back as untouched %s', async (_, isUntouched, job, trial) => {
  expect(await told(releaseJob, job, trial)).toEqual([expect.objectContaining({ is_untouched: isUntouched })]);
});

const refused = () => Promise.reject(new AppError('conflict', 'Les identifiants ne s’ouvrent pas.'));
const refusedAfterMemo: JobHandler = async ({ remember }) => {
  await remember(memo);
  return refused();
};

it.each([
  ['failed where nothing was begun', 'failed', {}, refused],
  ['unknown where a worker before it may have begun it', 'unknown', { was_started: true, memo }, refused],
  ['unknown where this one kept a memo for it', 'unknown', {}, refusedAfterMemo],
] as const)('ends a job that is refused in the middle as %s', async (_, state, job, trial) => {
  const error = { message: 'Les identifiants ne s’ouvrent pas.', code: 'conflict' };
  expect(await told(finishJob, job, trial)).toEqual([expect.objectContaining({ state, error })]);
});

it('counts what could not be established on its host', async () => {
  const metrics = await Metrics.of('test');
  await told(finishJob, {}, () => Promise.reject(new Unestablished({ message: 'Perdu.', code: 'lost' })));
  expect(await metrics.text()).toContain('vigie_operations_unknown_total{kind="trial",app="test"} 1');
});
