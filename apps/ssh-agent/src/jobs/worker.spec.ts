import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '@vigie/contracts/errors';
import { type ClaimedJob, claimJob, claimJobs, finishJob, finishJobs, releaseJob } from '@vigie/contracts/jobs';
import type { Kit } from '@vigie/service-kit/bootstrap';
import type { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { Metrics } from '@vigie/service-kit/metrics';
import { type JobHandler, RetryLater, NotStarted, OutcomeUnknown } from './job-handler';
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
  can_end_together: true,
};
const checkpoint = { path: '/srv/site' };
const queues = { redisUrl: '', operations: 1 };

let worker: JobWorker;
afterEach(() => worker.onApplicationShutdown());

type LedgerCall = typeof releaseJob | typeof finishJob;

/** What the worker sends to the ledger through this contract while it runs the job. */
async function callsOf(contract: LedgerCall, job: Partial<ClaimedJob>, trial: JobHandler): Promise<object[]> {
  const inputs: object[] = [];
  const call = async (called: unknown, input: object) => {
    if (called === contract) inputs.push(input);
    return called === claimJob ? { job: { ...claimed, ...job } } : {};
  };
  const bus = { call: call as unknown as Bus['call'] } as Bus;
  worker = new JobWorker({ bus, log: makeLog('test', 'silent'), keys: {} as Kit['keys'] }, queues, { trial });
  await worker.runAttempt({ id: claimed.id, attempt: 1 });
  return inputs;
}

const retry = async () => {
  throw new RetryLater(1, 'Le serveur ne répond pas.', false);
};
const retryAfterCheckpoint: JobHandler = async ({ saveCheckpoint }) => {
  await saveCheckpoint(checkpoint);
  return retry();
};
const notStartedAfterCheckpoint: JobHandler = async ({ saveCheckpoint }) => {
  await saveCheckpoint(checkpoint);
  throw new NotStarted(1, 'Une autre opération est en cours.');
};

it.each([
  ['when nothing was started', true, {}, retry],
  ['not when an earlier worker started it', false, { was_started: true }, retry],
  ['not when an earlier worker left a checkpoint', false, { was_started: true, memo: checkpoint }, retry],
  ['not when this worker left a checkpoint', false, {}, retryAfterCheckpoint],
  ['when its checkpoint is for an operation that did not start', true, {}, notStartedAfterCheckpoint],
  [
    'not when there was an earlier checkpoint',
    false,
    { was_started: true, memo: checkpoint },
    notStartedAfterCheckpoint,
  ],
] as const)('releases a job as untouched %s', async (_, isUntouched, job, trial) => {
  expect(await callsOf(releaseJob, job, trial)).toEqual([expect.objectContaining({ is_untouched: isUntouched })]);
});

const refused = () => Promise.reject(new AppError('conflict', 'Les identifiants ne s’ouvrent pas.'));
const refusedAfterCheckpoint: JobHandler = async ({ saveCheckpoint }) => {
  await saveCheckpoint(checkpoint);
  return refused();
};

it.each([
  ['failed when nothing was started', 'failed', {}, refused],
  ['unknown when an earlier worker may have started it', 'unknown', { was_started: true, memo: checkpoint }, refused],
  ['unknown when this worker saved a checkpoint for it', 'unknown', {}, refusedAfterCheckpoint],
] as const)('ends a job that is refused in the middle as %s', async (_, state, job, trial) => {
  const error = { message: 'Les identifiants ne s’ouvrent pas.', code: 'conflict' };
  expect(await callsOf(finishJob, job, trial)).toEqual([expect.objectContaining({ state, error })]);
});

it('counts operations whose outcome is unknown', async () => {
  const metrics = await Metrics.create('test');
  await callsOf(finishJob, {}, () => Promise.reject(new OutcomeUnknown({ message: 'Perdu.', code: 'lost' })));
  expect(await metrics.text()).toContain('vigie_operations_unknown_total{kind="trial",app="test"} 1');
});

describe('two wake-ups at once', () => {
  const other = { ...claimed, id: '018f0000-0000-7000-8000-000000000002' };
  const succeed: JobHandler = async () => ({ state: 'succeeded', result: {} });

  /** The ledger claims and ends `known` jobs together, and the others only alone. */
  async function runBoth(known: readonly ClaimedJob[]): Promise<string[]> {
    const called: string[] = [];
    const runs: string[] = [];
    const knownIds = known.map(({ id }) => id);
    const call = async (contract: { name: string }, { id, ends = [] }: { id?: string; ends?: { id: string }[] }) => {
      called.push(contract.name);
      if (contract === claimJobs) return { jobs: known };
      if (contract === claimJob) return { job: [claimed, other].find((job) => job.id === id) };
      return { ended: ends.flatMap((end) => (knownIds.includes(end.id) ? end.id : [])) };
    };
    const trial: JobHandler = async (context) => {
      runs.push(context.job.id);
      return succeed(context);
    };
    const bus = { call: call as unknown as Bus['call'] } as Bus;
    worker = new JobWorker({ bus, log: makeLog('test', 'silent'), keys: {} as Kit['keys'] }, queues, { trial });
    await Promise.all([claimed, other].map(({ id }) => worker.runAttempt({ id, attempt: 1 })));
    expect(runs.toSorted()).toEqual([claimed.id, other.id]);
    return called;
  }

  it('are claimed and ended by one call each', async () => {
    expect(await runBoth([claimed, other])).toEqual([claimJobs.name, finishJobs.name]);
  });

  it('are ended alone when more follows from their end', async () => {
    const both = [claimed, other].map((job) => ({ ...job, can_end_together: false }));
    expect(await runBoth(both)).toEqual([claimJobs.name, finishJob.name, finishJob.name]);
  });

  it('are claimed and ended alone where the ledger leaves them out', async () => {
    const called = await runBoth([claimed]);
    expect(called.filter((name) => name === claimJob.name)).toHaveLength(1);
    expect(called.filter((name) => name === finishJob.name).length).toBeGreaterThan(0);
  });
});
