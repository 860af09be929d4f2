import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '@vigie/contracts/errors';
import { claimJob, claimJobs, finishJob, type JobClaim, noteJob, releaseJob } from '@vigie/contracts/jobs';
import type { Kit } from '@vigie/service-kit/bootstrap';
import type { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { Metrics } from '@vigie/service-kit/metrics';
import { type JobHandler, type Outcome, RetryLater, NotStarted, OutcomeUnknown } from './job-handler';
import { JobWorker } from './worker';

const claimed: JobClaim = {
  id: '018f0000-0000-7000-8000-000000000001',
  fence: 1,
  kind: 'trial',
  input: {},
  access: null,
  was_started: false,
  is_cancelling: false,
  heard: 0,
  memo: null,
  companions: [],
};
const checkpoint = { path: '/srv/site' };
const queues = { redisUrl: '', operations: 1 };

let worker: JobWorker;
afterEach(() => worker.onApplicationShutdown());

type LedgerCall = typeof releaseJob | typeof finishJob | typeof noteJob;

/** What the worker sends to the ledger through this contract while it runs the job. */
async function callsOf(contract: LedgerCall, job: Partial<JobClaim>, trial: JobHandler): Promise<object[]> {
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

it('stores the lines of an attempt before it gives the job back', async () => {
  const called: unknown[] = [];
  const call = async (contract: unknown) => {
    called.push(contract);
    return contract === claimJob ? { job: claimed } : {};
  };
  const bus = { call: call as unknown as Bus['call'] } as Bus;
  const trial: JobHandler = async ({ report }) => {
    // The first line is sent at once, the second waits for more.
    report(null, 'Connexion');
    await new Promise((resolve) => setTimeout(resolve, 20));
    report(null, 'Le serveur ne répond pas.');
    return retry();
  };
  worker = new JobWorker({ bus, log: makeLog('test', 'silent'), keys: {} as Kit['keys'] }, queues, { trial });
  await worker.runAttempt({ id: claimed.id, attempt: 1 });
  expect(called).toEqual([claimJob, noteJob, noteJob, releaseJob]);
});

it('counts operations whose outcome is unknown', async () => {
  const metrics = await Metrics.create('test');
  await callsOf(finishJob, {}, () => Promise.reject(new OutcomeUnknown({ message: 'Perdu.', code: 'lost' })));
  expect(await metrics.text()).toContain('vigie_operations_unknown_total{kind="trial",app="test"} 1');
});

describe('two wake-ups at once', () => {
  const other = { ...claimed, id: '018f0000-0000-7000-8000-000000000002' };

  /** The ledger gives the `known` jobs together, and the others only alone. */
  async function runBoth(known: readonly JobClaim[]): Promise<string[]> {
    const called: string[] = [];
    const call = async (contract: { name: string }, { id }: { id?: string }) => {
      called.push(`${contract.name} ${id === other.id ? 'other' : ''}`.trim());
      if (contract === claimJobs) return { jobs: known };
      return contract === claimJob ? { job: [claimed, other].find((job) => job.id === id) } : {};
    };
    const bus = { call: call as unknown as Bus['call'] } as Bus;
    const trial: JobHandler = async () => ({ state: 'succeeded', result: {} });
    worker = new JobWorker({ bus, log: makeLog('test', 'silent'), keys: {} as Kit['keys'] }, queues, { trial });
    await Promise.all([claimed, other].map(({ id }) => worker.runAttempt({ id, attempt: 1 })));
    return called.toSorted();
  }

  const ends = [finishJob.name, `${finishJob.name} other`];

  it('are claimed by one call', async () => {
    expect(await runBoth([claimed, other])).toEqual([claimJobs.name, ...ends]);
  });

  it('are claimed alone where the ledger leaves them out', async () => {
    expect(await runBoth([claimed])).toEqual([`${claimJob.name} other`, claimJobs.name, ...ends].toSorted());
  });
});

it('waits at its end for a claim that is under way, and gives the job back', async () => {
  const released: unknown[] = [];
  let answer = (_job: object) => undefined as void;
  const call = async (contract: unknown, input: object) => {
    if (contract === claimJob) return new Promise((resolve) => (answer = (job) => resolve({ job })));
    if (contract === releaseJob) released.push(input);
    return {};
  };
  const bus = { call: call as unknown as Bus['call'] } as Bus;
  const trial: JobHandler = ({ signal }) => {
    signal.throwIfAborted();
    return Promise.reject(new Error('the job ran'));
  };
  worker = new JobWorker({ bus, log: makeLog('test', 'silent'), keys: {} as Kit['keys'] }, queues, { trial });
  const attempt = worker.runAttempt({ id: claimed.id, attempt: 1 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const stopped = worker.onApplicationShutdown();
  answer(claimed);
  await Promise.all([stopped, attempt]);
  expect(released).toHaveLength(1);
});

describe('a job with a companion', () => {
  const companion = { ...claimed, id: '018f0000-0000-7000-8000-000000000002', fence: 7 };
  const withCompanion = { companions: [companion] };
  const idsOf = (inputs: readonly object[]) => inputs.map((input) => Object(input).id);

  it('ends after its companion, each with its own outcome', async () => {
    const error = { message: 'Refusée.' };
    const trial: JobHandler = async ({ job, companions = [] }) =>
      new Map<string, Outcome>([
        [job.id, { state: 'succeeded', result: {} }],
        ...companions.map((each): [string, Outcome] => [each.job.id, { state: 'failed', error }]),
      ]);
    expect(await callsOf(finishJob, withCompanion, trial)).toEqual([
      expect.objectContaining({ id: companion.id, fence: 7, state: 'failed', error }),
      expect.objectContaining({ id: claimed.id, fence: 1, state: 'succeeded' }),
    ]);
  });

  it('gives back those that are to be done alone', async () => {
    const trial: JobHandler = async () =>
      new Map<string, 'cancelled' | 'alone'>([
        [claimed.id, 'cancelled'],
        [companion.id, 'alone'],
      ]);
    expect(await callsOf(releaseJob, withCompanion, trial)).toEqual([
      expect.objectContaining({ id: companion.id, fence: 7, is_untouched: true, is_alone: true }),
    ]);
  });

  it('is given back with its companion when it cannot go on', async () => {
    const released = await callsOf(releaseJob, withCompanion, retryAfterCheckpoint);
    expect(idsOf(released)).toEqual([companion.id, claimed.id]);
    expect(released).toEqual(released.map(() => expect.objectContaining({ is_untouched: false })));
  });

  it('is not cancelled with its companion, nor failed, when the host does not answer', async () => {
    const ends: object[] = [];
    const trial: JobHandler = async ({ companions: [other] = [], signal }) => {
      if (!other) throw new Error('alone');
      expect([signal.aborted, other.signal.reason]).toEqual([false, 'cancelled']);
      return retry();
    };
    const cancelling = { companions: [{ ...companion, is_cancelling: true }] };
    ends.push(...(await callsOf(releaseJob, cancelling, trial)));
    expect(ends).toEqual([expect.objectContaining({ id: claimed.id, is_untouched: true })]);
  });

  it('waits for its companion to be given back before it is given back itself', async () => {
    const called: unknown[] = [];
    let refusals = 1;
    const call = async (contract: unknown, { id }: { id: string }) => {
      if (contract === claimJob) return { job: { ...claimed, ...withCompanion } };
      if (contract !== releaseJob) return {};
      called.push(id);
      if (id === companion.id && refusals-- > 0) throw new AppError('unavailable', 'Le registre ne répond pas.');
      return {};
    };
    const bus = { call: call as unknown as Bus['call'] } as Bus;
    worker = new JobWorker({ bus, log: makeLog('test', 'silent'), keys: {} as Kit['keys'] }, queues, { trial: retry });
    await worker.runAttempt({ id: claimed.id, attempt: 1 });
    expect(called).toEqual([companion.id, companion.id, claimed.id]);
  });

  it('tells in the log of each what concerns it', async () => {
    const trial: JobHandler = async ({ job, companions: [other] = [] }) => {
      other?.report(null, 'Autre ligne');
      return new Map<string, Outcome>([[job.id, { state: 'succeeded', result: {} }]]);
    };
    expect(await callsOf(noteJob, withCompanion, trial)).toEqual([
      expect.objectContaining({ id: companion.id, fence: 7, lines: ['Autre ligne'] }),
    ]);
  });
});
