import { afterEach, expect, it } from '@jest/globals';
import { type ClaimedJob, claimJob, releaseJob } from '@vigie/contracts/jobs';
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

/** What the ledger is told of one that is to be tried later. */
async function released(job: Partial<ClaimedJob>, trial: JobHandler): Promise<object[]> {
  const told: object[] = [];
  const call = async (contract: unknown, input: object) => {
    if (contract === releaseJob) told.push(input);
    return contract === claimJob ? { job: { ...claimed, ...job } } : {};
  };
  const bus = { call: call as unknown as Bus['call'] } as Bus;
  worker = new JobWorker({ bus, log: makeLog('test', 'silent'), keys: {} as Kit['keys'] }, queues, { trial });
  await worker.take({ id: claimed.id, attempt: 1 });
  return told;
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
  expect(await released(job, trial)).toEqual([expect.objectContaining({ is_untouched: isUntouched })]);
});

it('counts what could not be established on its host', async () => {
  const metrics = await Metrics.of('test');
  await released({}, () => Promise.reject(new Unestablished({ message: 'Perdu.', code: 'lost' })));
  expect(await metrics.text()).toContain('vigie_operations_unknown_total{kind="trial",app="test"} 1');
});
