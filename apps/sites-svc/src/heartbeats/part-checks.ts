import { setTimeout as wait } from 'node:timers/promises';
import type { VigiePart } from '@vigie/contracts/channels';
import { checkAgent, checkAuth, checkDns } from '@vigie/contracts/health';
import type { Bus } from '@vigie/service-kit/bus';
import type { DataSource } from 'typeorm';
import type { JobQueues } from '../queue/job-queues';
import { findWatchLag } from '../sweeps/watch-lag';
import { missingParts } from './missing-parts';

/** A part that is restarted, or slow for a moment, is asked again: a missed call alarms people. */
const [maxTries, pauseMs] = [3, 700];
/** Longer than all tries of a part that answers nothing. */
const maxMs = 6_000;

type Dependencies = { database: DataSource; bus: Bus; queues: JobQueues };

/** Asks all parts at once which of them do not live. Without PostgreSQL it fails, as nothing could be called then. */
export async function findMissingParts({ database, bus, queues }: Dependencies): Promise<VigiePart[]> {
  const asks = (contract: typeof checkAuth) => tryAgain(async () => (await bus.call(contract, {})).ok || undefined);
  const [auth, dns, agent, redis, gatewaySeconds] = await Promise.all([
    asks(checkAuth),
    asks(checkDns),
    asks(checkAgent),
    tryAgain(async () => ({ oldestBatch: await queues.oldestSweep('site-visits') })),
    askDatabase(() => findGatewaySeconds(database)),
  ]);
  const answers = { 'auth-svc': auth === true, 'dns-svc': dns === true, 'ssh-agent': agent === true };
  const lagSeconds = redis && (await askDatabase(() => findWatchLag(database.manager, redis.oldestBatch)));
  return missingParts({ answers, gatewaySeconds, lagSeconds });
}

/** Its fault is no fault of the part that the answer is about. */
async function askDatabase<T>(ask: () => Promise<T>): Promise<T> {
  const answer = await tryAgain(async () => ({ found: await ask() }));
  if (!answer) throw new Error('PostgreSQL does not answer');
  return answer.found;
}

/** Undefined if no try gave anything in time. */
async function tryAgain<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const end = new AbortController();
  const late = wait(maxMs, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
  return Promise.race([tries(ask), late]).finally(() => end.abort());
}

async function tries<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let left = maxTries; left > 0; left -= 1) {
    const found = await ask().catch(() => undefined);
    if (found !== undefined || left === 1) return found;
    await wait(pauseMs, undefined, { ref: false });
  }
  return undefined;
}

async function findGatewaySeconds({ manager }: DataSource): Promise<number | undefined> {
  const [row]: { seconds: number }[] = await manager.query(
    'select extract(epoch from now() - reported_at)::float8 as seconds from gateway_reports',
  );
  return row?.seconds;
}
