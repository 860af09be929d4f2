import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { TestAuthority } from '@vigie/testing/certificates';
import { testFolder } from '@vigie/testing/test-folder';
import { outboundRule } from '@vigie/ssh/addresses';
import { NotResolved } from '@vigie/ssh/name-resolver';
import type { Resolve } from './guarded-request';
import { statusOf, visit, visitPage } from './visit';

const servers: { close: () => unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function site(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push({ close: () => (server.closeAllConnections(), server.close()) });
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server)}`;
}
/** A site over HTTPS, whose certificate no visitor trusts. */
async function secureSite(answer: RequestListener, subject = '/O=Autorité de test/CN=Racine'): Promise<string> {
  const pair = new TestAuthority(testFolder('authority'), subject).issue('localhost', { end: '20350102030405Z' });
  const server = createSecureServer(pair, answer).listen(0, '127.0.0.1');
  servers.push({ close: () => (server.closeAllConnections(), server.close()) });
  await once(server, 'listening');
  return `https://localhost:${portOf(server)}`;
}
const portOf = (server: Pick<Server, 'address'>) => (server.address() as AddressInfo).port;

const anywhere = outboundRule({ allowsPrivate: true, ranges: [] });
const publicOnly = outboundRule({ allowsPrivate: false, ranges: [] });
const page =
  (code: number, location?: string): RequestListener =>
  (_, response) =>
    void response.writeHead(code, location === undefined ? {} : { location }).end('<html>');

describe('a visit', () => {
  it('returns the final code, the target of the redirects and the duration', async () => {
    const agents: unknown[] = [];
    const end = await site(({ headers }, response) => {
      agents.push(headers['user-agent']);
      response.writeHead(404).end();
    });
    const begin = await site(page(302, `${end}/fin?x=1#y`));
    const result = await visit(begin, anywhere);
    expect(result).toMatchObject({ code: 404, error: null, method: 'GET', url: `${end}/fin?x=1` });
    expect(result.ms).toBeGreaterThanOrEqual(0);
    expect(agents).toEqual(['Vigie/1.4.31']);
  });

  it('returns a redirect itself where it follows none', async () => {
    const begin = await site(page(302, 'javascript:alert(1)'));
    expect(await visit(begin, anywhere, { followsRedirects: false })).toMatchObject({ code: 302, url: begin });
  });

  it('follows five redirects, and no more', async () => {
    let requestCount = 0;
    const loop = await site((_, response) => {
      requestCount += 1;
      response.writeHead(301, { location: `/${requestCount}` }).end();
    });
    expect(await visit(loop, anywhere)).toMatchObject({ code: 0, error: 'Le site redirige plus de 5 fois.' });
    expect(requestCount).toBe(6);
  });

  const inner = ['http://0x7f.1:9/', 'http://2130706433:9/', 'http://[::1]:9/', 'http://localhost:9/'];
  const foreign = [
    'http://169.254.169.254/latest/meta-data/',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://10.0.0.1/',
  ];
  const refused = { code: 0, error: 'Adresse non autorisée' };

  it.each([...foreign, ...inner])('never goes to %s where only public addresses are allowed', async (target) => {
    expect(await visit(target, publicOnly)).toMatchObject(refused);
  });

  it.each(foreign)('is not redirected to %s', async (target) => {
    const begin = await site(page(307, target));
    // As if its own address were a public one.
    const rule = (address: string) => address === '127.0.0.1' || publicOnly(address);
    expect(await visit(begin, rule)).toMatchObject(refused);
  });

  it('checks the address of a name at each redirect, since it may have changed by then', async () => {
    let requestCount = 0;
    const end = await site((_, response) => {
      requestCount += 1;
      response.writeHead(302, { location: '/' }).end();
    });
    const answers = ['127.0.0.1', '169.254.169.254'];
    const resolve = (_: string, done: (error: null, addresses: { address: string; family: number }[]) => void) =>
      done(null, [{ address: answers.shift() ?? '169.254.169.254', family: 4 }]);
    const url = `http://exemple.test:${new URL(end).port}`;
    expect(await visit(url, anywhere, { resolve })).toMatchObject({ code: 0, error: 'Adresse non autorisée' });
    expect(requestCount).toBe(1);
  });

  it('tells a name that does not resolve from one that was not looked up', async () => {
    const result = (error: Error) =>
      visitPage('http://exemple.test/', anywhere, { resolve: (_, done) => done(error, []) });
    expect(await result(new NotResolved())).toMatchObject({ code: 0, isUnreachable: true, wasSkipped: true });
    const nobody = Object.assign(new Error(), { code: 'EAI_AGAIN' });
    expect(await result(nobody)).toMatchObject({ code: 0, isUnreachable: true, wasSkipped: false, addresses: null });
    const gone = Object.assign(new Error(), { code: 'ENOTFOUND' });
    expect(await result(gone)).toMatchObject({ code: 0, addresses: [] });
  });

  it('reports the addresses of the site’s own name alone, and none that Vigie may not connect to', async () => {
    const end = await site((_, response) => void response.writeHead(302, { location: 'http://autre.test/' }).end());
    const url = `http://exemple.test:${new URL(end).port}`;
    const resolveTo =
      (...own: string[]): Resolve =>
      (name, done) =>
        done(
          null,
          (name === 'exemple.test' ? own : ['10.0.0.1']).map((address) => ({ address, family: 4 })),
        );
    const visitAt = (...own: string[]) =>
      visitPage(url, (address) => address.startsWith('127.'), { resolve: resolveTo(...own) });
    const error = 'Adresse non autorisée';
    expect(await visitAt('127.0.0.1', '127.0.0.1')).toMatchObject({ error, addresses: ['127.0.0.1'] });
    expect(await visitAt('10.0.0.7')).toMatchObject({ error, addresses: null });
    expect(await visitPage(end, anywhere)).toMatchObject({ addresses: null });
  });

  it.each(['file:///etc/passwd', 'gopher://127.0.0.1/', 'javascript:alert(1)', 'http://'])(
    'does not follow %s',
    async (location) => {
      const begin = await site(page(302, location));
      expect(await visit(begin, anywhere)).toMatchObject({ code: 0, error: expect.stringMatching(/redirige vers/) });
    },
  );

  it('ends in time, whether headers, pages or nothing at all drip in', async () => {
    const headers = createTcpServer((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 200 OK\r\nX: '.slice(0, 1)), 30);
      socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    servers.push(headers);
    await once(headers, 'listening');
    const body = await site((request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 30);
      request.socket.on('close', () => clearInterval(timer));
    });
    const silent = await site(() => undefined);
    const late = { code: 0, error: 'Le site n’a pas répondu en 0,3\u00a0s.' };
    for (const url of [body, silent]) {
      const result = await visit(url, anywhere, { ms: 300 });
      expect(result).toMatchObject(late);
      expect(result.ms).toBeLessThan(8_000);
    }
    const result = await visit(`http://127.0.0.1:${portOf(headers)}`, anywhere, { ms: 300 });
    expect(result).toMatchObject({ code: 0 });
    expect(result.ms).toBeLessThan(8_000);
  });

  it('reads a little of an endless page', async () => {
    let sent = 0;
    const endless = await site((_, response) => {
      response.writeHead(200);
      const part = Buffer.alloc(65_536);
      const more = () => {
        while (!response.destroyed && response.write(part)) sent += part.length;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await visit(endless, anywhere)).toMatchObject({ code: 200, error: null });
    expect(sent).toBeLessThan(20 * 1_048_576);
  });

  it('ends when the site switches the protocol, and leaves nothing open', async () => {
    const closed: Promise<unknown>[] = [];
    const other = createTcpServer((socket) => {
      closed.push(once(socket.resume(), 'close'));
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    }).listen(0, '127.0.0.1');
    servers.push(other);
    await once(other, 'listening');
    const result = await visit(`http://127.0.0.1:${portOf(other)}`, anywhere, { ms: 5_000 });
    expect(result).toMatchObject({ code: 0, error: 'Le site répond par un autre protocole que HTTP.' });
    expect(await Promise.all(closed)).toHaveLength(1);
  });

  it('ends in time when a name is never resolved', async () => {
    const result = await visit('http://exemple.test', anywhere, { ms: 200, resolve: () => undefined });
    expect(result).toMatchObject({ code: 0, error: 'Le site n’a pas répondu en 0,2\u00a0s.' });
  });

  it('says in a sentence why there is no answer', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const port = portOf(closed);
    closed.close();
    const noise = createTcpServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-x\r\n')).listen(
      0,
      '127.0.0.1',
    );
    servers.push(noise);
    await once(noise, 'listening');
    const errorOf = async (url: string) => (await visit(url, anywhere)).error;
    const plain = await site(page(200));
    expect(await errorOf(`http://127.0.0.1:${port}`)).toBe('Le serveur du site refuse la connexion.');
    expect(await errorOf('http://nulle-part.invalid')).toMatch(/^Le nom du site n’/);
    expect(await errorOf(`http://127.0.0.1:${portOf(noise)}`)).toBe('Ce qui répond à cette adresse ne parle pas HTTP.');
    expect(await errorOf(plain.replace('http:', 'https:'))).toBe('La connexion chiffrée avec le site a échoué.');
  });
});

describe('the certificate of a site', () => {
  const presented = {
    starts_at: '2020-01-01T00:00:00.000Z',
    ends_at: '2035-01-02T03:04:05.000Z',
    issuer: 'Autorité de test',
  };

  it('is known even when it is refused, and not stored with the status', async () => {
    const url = await secureSite(page(200));
    const visited = await visitPage(url, anywhere);
    const error = 'Le certificat du site n’est pas valable\u00a0: il manque un certificat intermédiaire.';
    expect(visited).toMatchObject({ code: 0, error, isUnreachable: true, certificate: presented });
    const stored = ['checked_at', 'code', 'error', 'method', 'ms', 'url'];
    expect(Object.keys(statusOf(visited)).toSorted()).toEqual(stored);
  });

  it('is that of the site itself, with or without www, and not that of another name', async () => {
    const secure = await secureSite(page(200));
    const resolve = (_: string, done: (error: null, addresses: { address: string; family: number }[]) => void) =>
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    const own = await site(page(301, secure.replace('localhost', 'www.exemple.test')));
    const other = await site(page(301, secure));
    const certificateOf = async (url: string) => {
      const named = url.replace('127.0.0.1', 'exemple.test');
      return (await visitPage(named, anywhere, { resolve })).certificate;
    };
    expect(await certificateOf(own)).toEqual(presented);
    expect(await certificateOf(other)).toBeNull();
    expect(await certificateOf(await site(page(200)))).toBeNull();
  });
});
