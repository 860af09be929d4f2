import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '@nats-io/transport-node';
import { RawServer } from '@vigie/testing/hostile-ssh';
import { natsServers } from './bootstrap';

let server: RawServer;
let received = '';
beforeAll(async () => {
  server = await RawServer.start((socket) => {
    socket.on('data', (data) => {
      received += String(data);
      socket.end("-ERR 'Authorization Violation'\r\n");
    });
    socket.write(
      'INFO {"server_id":"s","version":"2.9.10","headers":true,"max_payload":1048576,"auth_required":true}\r\n',
    );
  });
});
afterAll(() => server.close());

const call = (scheme: string) => {
  received = '';
  return connect({ ...natsServers(`${scheme}://vigie:mot-de-passe@127.0.0.1:${server.port}`), reconnect: false }).catch(
    String,
  );
};

it('does not send its password to a server without TLS when the address says tls', async () => {
  expect(await call('tls')).toContain('tls');
  expect(received).toBe('');
});

it('sends it to a server without TLS when the address says nats', async () => {
  await call('nats');
  expect(received).toContain('mot-de-passe');
});
