import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '@nats-io/transport-node';
import { natsServers } from './bootstrap';

let server: Server;
let port = 0;
let heard = '';
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('data', (data) => {
      heard += String(data);
      socket.end("-ERR 'Authorization Violation'\r\n");
    });
    socket.on('error', () => undefined);
    socket.write(
      'INFO {"server_id":"s","version":"2.9.10","headers":true,"max_payload":1048576,"auth_required":true}\r\n',
    );
  });
  port = await new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
});
afterAll(() => void server.close());

const call = (scheme: string) => {
  heard = '';
  return connect({ ...natsServers(`${scheme}://vigie:mot-de-passe@127.0.0.1:${port}`), reconnect: false }).catch(
    String,
  );
};

it('tells its password to no server that is not secured, where the address says that it is', async () => {
  expect(await call('tls')).toContain('tls');
  expect(heard).toBe('');
});

it('tells it to one that need not be', async () => {
  await call('nats');
  expect(heard).toContain('mot-de-passe');
});
