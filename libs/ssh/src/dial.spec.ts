import { expect, it } from '@jest/globals';
import { RawServer } from '@vigie/testing/hostile-ssh';
import { dialFirst } from './dial';
import { SshFailure } from './failure';

const limits = (ms = 2_000) => ({ ms, signal: new AbortController().signal });

it('goes on to the next address when one refuses', async () => {
  const server = await RawServer.start(() => undefined);
  const dialed = await dialFirst(['127.0.0.2', '127.0.0.1', '127.0.0.3'], server.port, limits());
  expect(dialed).toMatchObject({ address: '127.0.0.1', socket: { remoteAddress: '127.0.0.1' } });
  if (!(dialed instanceof SshFailure)) dialed.socket.destroy();
  await server.close();
});

it('tells of a closed port rather than of an address without a way', async () => {
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
