import { ServerTest } from '@vigie/contracts/servers';
import { type EntityManager, IsNull } from 'typeorm';
import type { JobOutcome, Job } from '../queue/job.entity';
import { isCredentialRefusal, hostKeyChanged } from './refusals';
import { loggedIn, Server } from './server.entity';

/** Stores nothing for a server that changed since the test logged in. */
export async function saveServerTest(manager: EntityManager, job: Job, outcome: JobOutcome): Promise<JobOutcome> {
  // The input of a retried test may name an older version than the one that was tested.
  const { version, logins } = job.access ?? {};
  if (job.serverId === null || version === undefined) return outcome;
  const serverVersion = { id: job.serverId, version };
  if (outcome.state === 'succeeded') return pinHostKey(manager, serverVersion, outcome);
  if (outcome.state === 'failed' && isCredentialRefusal(outcome.error?.code)) {
    await manager.update(
      Server,
      { ...serverVersion, ...(logins !== undefined && { logins }) },
      { refusal: outcome.error?.message ?? null },
    );
  }
  return outcome;
}

type ServerVersion = { id: string; version: number };

async function pinHostKey(
  manager: EntityManager,
  serverVersion: ServerVersion,
  outcome: JobOutcome,
): Promise<JobOutcome> {
  const { host_key: actual, steps, kills_children: killsChildren } = ServerTest.parse(outcome.result);
  await manager.update(Server, serverVersion, {
    ...loggedIn,
    shownKey: null,
    ...(typeof killsChildren === 'boolean' && { killsChildren }),
  });
  await manager.update(Server, { ...serverVersion, hostKey: IsNull() }, { hostKey: actual });
  const pinned = await manager.findOneBy(Server, serverVersion);
  const expected = pinned?.hostKey ?? actual;
  if (expected === actual) return outcome;
  // Another first connection may have seen another key and pinned it meanwhile.
  return { state: 'failed', result: null, error: { ...hostKeyChanged(expected, actual), steps } };
}
