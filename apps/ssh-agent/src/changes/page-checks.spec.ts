import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { checkPages, pageLine } from './page-checks';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function site(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sous/dossier`;
}
const html = { 'content-type': 'text/html; charset=UTF-8' };
const homeOf = async (answer: RequestListener) => (await checkPages(await site(answer), () => true)).home;

it('visits both pages past their caches', async () => {
  const url = await site((_, response) => response.writeHead(200, html).end('<html></html>'));
  const { home, login } = await checkPages(url, () => true);
  expect([home, login]).toMatchObject([
    { url: expect.stringMatching(/\/sous\/dossier\/\?vigie=[0-9a-f]{12}$/), code: 200, isWhole: true, bytes: 13 },
    { url: expect.stringMatching(/\/sous\/dossier\/wp-login\.php\?vigie=[0-9a-f]{12}$/), code: 200 },
  ]);
  expect(pageLine(home)).toMatch(/^GET http:.*\u00a0: 200, 13\u00a0octets, \d+\u00a0ms, page complète$/);
});

it.each([
  ['There has been a critical error on this website.', /critical error/],
  ['Il y a eu une erreur critique sur ce site.', /erreur critique/],
  ['Une erreur critique est survenue sur votre site.', /erreur critique/],
  ['<h1>Error establishing a database connection</h1>', /database/],
  ['<b>Fatal error</b>:  Uncaught Error: x in <b>/a.php</b>', /^Fatal error: Uncaught Error: x in \/a\.php$/],
  ['PHP Parse error:  syntax error in /a.php', /Parse error/],
])('finds the error that a page prints: %s', async (text, error) => {
  const page = await homeOf((_, response) => response.writeHead(200, html).end(`<html>\n${text}\n</html>`));
  expect(page.fatal).toMatch(error);
});

it('reads the end of a long page, and recognizes an empty or cut one', async () => {
  const filler = '<p>mot</p>'.repeat(60_000);
  expect(await homeOf((_, r) => r.writeHead(200, html).end(`<html>${filler}</html>`))).toMatchObject({
    isWhole: true,
    bytes: 600_013,
  });
  expect(await homeOf((_, r) => r.writeHead(200, html).end(filler))).toMatchObject({ isWhole: false, isBlank: false });
  expect(await homeOf((_, r) => r.writeHead(200, html).end(' \n'))).toMatchObject({ isBlank: true });
  const packed = gzipSync('<html>');
  expect(await homeOf((_, r) => r.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(packed))).toMatchObject({
    isWhole: null,
    isBlank: false,
  });
});
