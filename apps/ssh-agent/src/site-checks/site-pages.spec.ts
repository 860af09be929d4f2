import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { visitSitePages } from './site-pages';

let server: Server;
let origin = '';
const requested: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    requested.push((request.url ?? '').replace(/vigie=[0-9a-f]{12}$/, 'vigie'));
    response.end(' \n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each([
  ['', '/?vigie', '/wp-login.php?vigie'],
  ['/', '/?vigie', '/wp-login.php?vigie'],
  ['/sous/dossier', '/sous/dossier/?vigie', '/sous/dossier/wp-login.php?vigie'],
  ['/?lang=fr', '/?lang=fr&vigie', '/wp-login.php?vigie'],
  ['/blog?a=1', '/blog?a=1&vigie', '/blog/wp-login.php?vigie'],
])('finds both pages of a site at “%s”', async (address, home, login) => {
  requested.length = 0;
  const visits = await visitSitePages(`${origin}${address}`, () => true);
  expect(requested.toSorted()).toEqual([home, login].toSorted());
  expect(visits).toMatchObject({
    home: { address: `${origin}${address}`, code: 200, isBlank: true },
    login: { address: `${origin}${login.replace('?vigie', '')}`, isBlank: true },
  });
});
