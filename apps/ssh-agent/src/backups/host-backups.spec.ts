import { expect, it } from 'vitest';
import type { listHostBackups } from '@vigie/contracts/backups';
import type { Input } from '@vigie/contracts/contract';
import { type Reason, SshFailure } from '@vigie/ssh/failure';
import { readHostBackups } from './host-backups';

const site = { path: '/srv', url: 'https://exemple.fr', php: null };
const input = { site, content: null, access: {} } as unknown as Input<typeof listHostBackups>;

const reasons: [Reason, string][] = [
  [{ kind: 'host-key-changed', expected: 'SHA256:a', actual: 'SHA256:b' }, 'conflict'],
  [{ kind: 'timed-out', phase: 'connect', seconds: 10 }, 'remote_too_slow'],
  [{ kind: 'forbidden', address: '127.0.0.1' }, 'invalid'],
  [{ kind: 'refused', address: '192.0.2.1', port: 22 }, 'remote_failed'],
];

it.each(reasons)('reports a host that failed with %j in the words of a job', async (reason, code) => {
  const failure = new SshFailure(reason);
  const reading = readHostBackups({ use: () => Promise.reject(failure) }, input);
  await expect(reading).rejects.toMatchObject({ code, detail: { code: failure.kind.replaceAll('-', '_') } });
});
