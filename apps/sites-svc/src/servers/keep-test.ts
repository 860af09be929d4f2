import { ServerTest } from '@vigie/contracts/servers';
import { type EntityManager, IsNull } from 'typeorm';
import { z } from 'zod';
import type { Job } from '../jobs/job.entity';
import { isCredentialRefusal } from './refusals';
import { Server } from './server.entity';

export const TestInput = z.object({ version: z.int() });

/** What a test found holds for the server as it was asked: the first key is pinned, a refusal is remembered. */
export async function keepTest(manager: EntityManager, { serverId, state, input, result, error }: Job): Promise<void> {
  if (serverId === null) return;
  const asked = { id: serverId, version: TestInput.parse(input).version };
  if (state === 'succeeded') {
    const { host_key: hostKey } = ServerTest.parse(result);
    await manager.update(Server, asked, { refusal: null });
    await manager.update(Server, { ...asked, hostKey: IsNull() }, { hostKey });
  }
  if (state === 'failed' && isCredentialRefusal(error?.code)) {
    await manager.update(Server, asked, { refusal: error?.message ?? null });
  }
}
