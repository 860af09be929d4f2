import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { addressOf, choosePort } from './address';
import { readSettings } from './env';

it('says that a port is taken, and how to choose another', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(choosePort(readSettings({ PORT: `${port}` }))).rejects.toThrow(
    new RegExp(`^Le port ${port} de 127\\.0\\.0\\.1 est pris .*PORT=\\d+ npm start\\.$`),
  );
  server.close();
});

it('says that a host is not an address of this machine', async () => {
  await expect(choosePort(readSettings({ HOST: '192.0.2.1' }))).rejects.toThrow('HOST=192.0.2.1');
});

it('refuses metrics ports that do not exist or include the port of the product', async () => {
  const refusal = /ne convient pas.*9464/;
  await expect(choosePort(readSettings({ PORT: '29466', VIGIE_METRICS_PORT: '29464' }))).rejects.toThrow(refusal);
  await expect(choosePort(readSettings({ PORT: '0', VIGIE_METRICS_PORT: '65533' }))).rejects.toThrow(refusal);
});

it('returns an address that a browser can open', () => {
  expect(addressOf('127.0.0.1', 80)).toBe('http://127.0.0.1:80');
  expect(addressOf('0.0.0.0', 80)).toBe('http://localhost:80');
  expect(addressOf('::1', 80)).toBe('http://[::1]:80');
});
