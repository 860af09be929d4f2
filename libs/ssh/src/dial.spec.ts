import { expect, it } from 'vitest';
import { RawServer } from '@vigie/testing/hostile-ssh';
import { dial, dialFirst } from './dial';
import { SshFailure } from './failure';
import { NameResolver } from './name-resolver';

const limits = (ms = 20_000) => ({ ms, signal: new AbortController().signal });

it('goes on to the next address when one refuses', async () => {
  const server = await RawServer.start(() => undefined);
  const dialed = await dialFirst(['127.0.0.2', '127.0.0.1', '127.0.0.3'], server.port, limits());
  expect(dialed).toMatchObject({ address: '127.0.0.1', socket: { remoteAddress: '127.0.0.1' } });
  if (!(dialed instanceof SshFailure)) dialed.socket.destroy();
  await server.close();
});

it('reports a closed port rather than an unreachable address', async () => {
  const server = await RawServer.start(() => undefined);
  const { port } = server;
  await server.close();
  const failure = await dialFirst(['255.255.255.255', '127.0.0.1', '255.255.255.255'], port, limits());
  expect(failure).toMatchObject({ reason: { kind: 'refused', address: '127.0.0.1', port } });
});

it('stops trying addresses when it is cancelled', async () => {
  const cancelled = { ms: 5_000, signal: AbortSignal.abort() };
  expect(await dialFirst(['127.0.0.1', '127.0.0.2'], 9, cancelled)).toMatchObject({ kind: 'cancelled' });
});

it('reports a name without address only after a look-up', async () => {
  const target = { host: 'bon.fr', port: 22, mayConnect: () => true };
  const full = new NameResolver(() => Promise.resolve([]), { unknown: 0, laneWaitMs: 1 });
  await expect(dial(target, limits(), full)).rejects.toMatchObject({ reason: { kind: 'unasked', host: 'bon.fr' } });
  const empty = new NameResolver(() => Promise.resolve([]));
  await expect(dial(target, limits(), empty)).rejects.toMatchObject({ kind: 'unresolved' });
});
