import { ServerTest } from '@vigie/contracts/servers';
import { type EntityManager, IsNull } from 'typeorm';
import type { Ending, Job } from '../jobs/job.entity';
import { isCredentialRefusal, otherKey } from './refusals';
import { Server } from './server.entity';

/** What a test found holds for the server as it was asked: the first key is pinned, a refusal is remembered. */
export async function keepTest(manager: EntityManager, job: Job, ending: Ending): Promise<Ending> {
  // Of a test that was relaunched, the input is older than the credential that was tried.
  const version = job.access?.version;
  if (job.serverId === null || version === undefined) return ending;
  const asked = { id: job.serverId, version };
  if (ending.state === 'succeeded') return keepKey(manager, asked, ending);
  if (ending.state === 'failed' && isCredentialRefusal(ending.error?.code)) {
    await manager.update(Server, asked, { refusal: ending.error?.message ?? null });
  }
  return ending;
}

type Asked = { id: string; version: number };

async function keepKey(manager: EntityManager, asked: Asked, ending: Ending): Promise<Ending> {
  const { host_key: actual, steps, kills_children: killsChildren } = ServerTest.parse(ending.result);
  await manager.update(Server, asked, {
    refusal: null,
    shownKey: null,
    ...(typeof killsChildren === 'boolean' && { killsChildren }),
  });
  await manager.update(Server, { ...asked, hostKey: IsNull() }, { hostKey: actual });
  const pinned = await manager.findOneBy(Server, asked);
  const expected = pinned?.hostKey ?? actual;
  if (expected === actual) return ending;
  // At a first meeting somebody else may have been shown another key, and pinned it.
  return { state: 'failed', result: null, error: { ...otherKey(expected, actual), steps } };
}
